import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import {
  candidateIssuers,
  chooseAuthorizationServer,
  MAX_AUTHORIZATION_SERVERS,
} from "../../../../core/enterprise/discovery/choice.ts";
import type { ServerMetadata } from "../../../../core/enterprise/discovery/server_metadata.ts";
import { accept, refuse, type Verdict } from "../../../../core/enterprise/verdict.ts";

function candidates(
  published: readonly string[] | null,
  configured: string | null,
): readonly string[] | string {
  const verdict = candidateIssuers({ published, configured });
  return verdict.accepted ? verdict.value : verdict.refusal.reason;
}

test("candidateIssuers: the configured one must be published, and is asked as it is published", () => {
  assertEquals(candidates(["https://a.example", "https://b.example/"], "https://b.example"), [
    "https://b.example/",
  ]);
  assertEquals(candidates(["https://b.example/", "https://b.example"], "https://b.example"), [
    "https://b.example",
  ]);
  assertEquals(candidates(["https://a.example"], "https://b.example"), "not-published");
  assertEquals(candidates([], "https://b.example"), "not-published");
  assertEquals(candidates(["https://b.example/x/"], "https://b.example/x"), "not-published");
  assertEquals(candidates(null, "https://b.example"), ["https://b.example"]);
});

test("candidateIssuers: none configured, a bounded number of published ones", () => {
  assertEquals(candidates(null, null), "none-published");
  assertEquals(candidates([], null), "none-published");
  assertEquals(candidates(["https://a.example", "https://a.example"], null), ["https://a.example"]);
  const many = Array.from({ length: 50 }, (_, index) => `https://${index}.example`);
  const verdict = candidateIssuers({ published: many, configured: null });
  assertEquals(verdict.accepted && verdict.value, many.slice(0, MAX_AUTHORIZATION_SERVERS));
  assertMatch(verdict.accepted ? verdict.notes[0]?.message ?? "" : "", /^45 more/);
});

test("chooseAuthorizationServer: the first that names the profile, else the first that says nothing", () => {
  const answer = (issuer: string, profile: "supported" | "unknown"): Verdict<ServerMetadata> =>
    accept({ issuer, profile } as ServerMetadata);
  const wrong: Verdict<ServerMetadata> = refuse(["issuer-mismatch", "RFC 8414, 3.3"], "Cannot use it: no");
  const chosen = (...answers: Verdict<ServerMetadata>[]): string => {
    const verdict = chooseAuthorizationServer(answers);
    return verdict.accepted ? verdict.value.issuer : verdict.refusal.reason;
  };
  assertEquals(
    chosen(wrong, answer("a", "unknown"), answer("b", "supported"), answer("c", "supported")),
    "b",
  );
  assertEquals(chosen(wrong, answer("a", "unknown"), answer("b", "unknown")), "a");
  assertEquals(chosen(wrong), "none-suitable");
  assertEquals(chosen(), "none-suitable");
});
