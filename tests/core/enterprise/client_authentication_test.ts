import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  chooseClientMethod,
  type ClientMethodFacts,
} from "../../../core/enterprise/client_authentication.ts";

function choose(facts: Partial<ClientMethodFacts>): string {
  const verdict = chooseClientMethod({ configured: null, credential: "none", supported: null, ...facts });
  return verdict.accepted ? verdict.value : verdict.refusal.reason;
}

test("chooseClientMethod: an absent list says nothing, a list that lacks the method refuses it", () => {
  assertEquals(choose({}), "none");
  assertEquals(choose({ supported: ["none"] }), "none");
  assertEquals(choose({ supported: ["client_secret_basic"] }), "method-unsupported");
  assertEquals(choose({ supported: [] }), "method-unsupported");
});

test("chooseClientMethod: a secret goes into the header, else into the body", () => {
  const credential = "secret";
  assertEquals(choose({ credential }), "client_secret_basic");
  assertEquals(
    choose({ credential, supported: ["client_secret_post", "client_secret_basic"] }),
    "client_secret_basic",
  );
  assertEquals(choose({ credential, supported: ["client_secret_post"] }), "client_secret_post");
  assertEquals(choose({ credential, supported: ["none", "private_key_jwt"] }), "method-unsupported");
  assertEquals(choose({ credential: "private-key" }), "private_key_jwt");
});

test("chooseClientMethod: the configured method, and no other", () => {
  const facts = { credential: "secret", configured: "client_secret_post" } as const;
  assertEquals(choose(facts), "client_secret_post");
  assertEquals(choose({ ...facts, supported: ["client_secret_basic"] }), "method-unsupported");
});
