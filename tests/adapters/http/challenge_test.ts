/**
 * Challenges of the scheme Bearer, among others and in odd spellings.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { readBearerChallenge } from "../../../adapters/http/challenge.ts";

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
