import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { checkRenewedIdToken } from "../../../../adapters/http/sign_in/renewed_id_token.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { createFakeProvider, ISSUER, type Members, NOW } from "./fake_provider.ts";

const FACTS = { issuer: ISSUER, clientId: "client-1", now: NOW };

test("a renewed ID token of the same person is accepted, also after the old one expired", async () => {
  const fake = await createFakeProvider();
  const before = await fake.idToken({ exp: NOW - 5000 });
  const identity = checkRenewedIdToken(await fake.idToken({ exp: NOW + 900 }), { ...FACTS, before });
  assertEquals([identity.subject, identity.expiresAt], ["user-1", NOW + 900]);
});

test("whatever must stay and does not is refused", async () => {
  const fake = await createFakeProvider();
  const before = await fake.idToken();
  const bad: readonly Members[] = [
    { sub: "user-2" },
    { iss: "https://other.example" },
    { aud: "client-2" },
    { aud: ["client-1", "client-2"], azp: "client-1" },
    { azp: "client-1" },
    { workspace_id: "globex" },
    { workspace_id: undefined },
    { exp: NOW - 61 },
  ];
  for (const claims of bad) {
    const renewed = await fake.idToken(claims);
    const error = assertThrows(() => checkRenewedIdToken(renewed, { ...FACTS, before }), EnterpriseError);
    assertEquals(error.code, "IDENTITY_REFUSED", JSON.stringify(claims));
  }
});

test("what is not signed is refused", async () => {
  const fake = await createFakeProvider();
  const before = await fake.idToken();
  const [header, claims] = before.split(".");
  const none = btoa(JSON.stringify({ alg: "none" })).replace(/=+$/, "");
  for (
    const token of [
      `${header}.${claims}.`,
      `${none}.${claims}.`,
      `${none}.${claims}.AAAA`,
      "x",
      `${header}.${claims}`,
    ]
  ) {
    assertThrows(() => checkRenewedIdToken(token, { ...FACTS, before }), EnterpriseError);
  }
  assertThrows(() => checkRenewedIdToken(before, { ...FACTS, before: "x" }), EnterpriseError);
});
