/**
 * Challenges of the scheme Bearer, among others and in odd spellings.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { MAX_CHALLENGE_LENGTH, readBearerChallenge } from "../../../../adapters/http/transport/challenge.ts";

test("error, scopes and the place of the metadata are read", async () => {
  const header = 'Bearer realm="x", error="insufficient_scope", scope="a b", ' +
    'resource_metadata="https://mcp.example/x"';
  assertEquals(await readBearerChallenge(header), {
    error: "insufficient_scope",
    scopes: ["a", "b"],
    resourceMetadata: "https://mcp.example/x",
  });
});

test("what is not said is null, what is not known is unrecognised", async () => {
  const nothing = { error: null, scopes: null, resourceMetadata: null };
  assertEquals(await readBearerChallenge("Bearer"), nothing);
  assertEquals(await readBearerChallenge('bearer realm="x"'), nothing);
  assertEquals(await readBearerChallenge('Bearer scope="é"'), nothing);
  assertEquals(await readBearerChallenge('Bearer error="secret text"'), {
    ...nothing,
    error: "unrecognised",
  });
});

test("the Bearer challenge is found behind another one, and missed where there is none", async () => {
  const both = 'Basic realm="x, y", Bearer error="invalid_token"';
  assertEquals((await readBearerChallenge(both))?.error, "invalid_token");
  assertEquals(await readBearerChallenge('Basic realm="Bearer error=invalid_token"'), null);
  assertEquals(await readBearerChallenge("DPoP algs=ES256"), null);
  assertEquals(await readBearerChallenge('Bearer error="unclosed'), null);
  assertEquals(await readBearerChallenge(""), null);
  assertEquals(await readBearerChallenge(null), null);
});

test("a header that is too long is none, and takes no time", async () => {
  const padded = (length: number): string => {
    const header = 'Bearer error="invalid_token", realm=""';
    return header.replace('realm=""', `realm="${"x".repeat(length - header.length)}"`);
  };
  assertEquals((await readBearerChallenge(padded(MAX_CHALLENGE_LENGTH)))?.error, "invalid_token");
  assertEquals(await readBearerChallenge(padded(MAX_CHALLENGE_LENGTH + 1)), null);
  const began = performance.now();
  for (
    const header of ["a ".repeat(MAX_CHALLENGE_LENGTH / 2), "a ".repeat(250_000), "Bearer,".repeat(70_000)]
  ) {
    assertEquals(await readBearerChallenge(header), null);
  }
  // the library takes minutes for the second
  assert(performance.now() - began < 5_000);
});
