import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import {
  checkRenewedIdToken,
  type RenewedAccount,
} from "../../../../adapters/http/sign_in/renewed_id_token.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { createFakeProvider, ISSUER, type Members, NOW } from "./fake_provider.ts";

const ACCOUNT = { subject: "user-1", user: "user-1", workspace: "acme" };
const FACTS = { issuer: ISSUER, clientId: "client-1", now: NOW, account: ACCOUNT };

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

test("without the token before it is the person who signed in, and the workspace that they named", async () => {
  const fake = await createFakeProvider();
  const check = (idToken: string, account: RenewedAccount): string => {
    try {
      return checkRenewedIdToken(idToken, { ...FACTS, before: null, account }).subject;
    } catch (error) {
      return error instanceof EnterpriseError ? `${error.code} ${error.reason}` : String(error);
    }
  };
  const [same, other, moved] = [
    await fake.idToken(),
    await fake.idToken({ sub: "user-2" }),
    await fake.idToken({ workspace_id: "globex" }),
  ];
  const subject = "IDENTITY_REFUSED subject";
  assertEquals([same, other, moved].map((one) => check(one, ACCOUNT)), [
    "user-1",
    subject,
    "IDENTITY_REFUSED workspace",
  ]);
  // a host's own names for the account say nothing of the claims
  const hosts = { ...ACCOUNT, user: "host-user", workspace: "host-workspace" };
  assertEquals([same, other, moved].map((one) => check(one, hosts)), ["user-1", subject, "user-1"]);
  // whom a program's own sign-in is of is the program's to know
  assertEquals(check(other, { ...hosts, subject: "" }), "user-2");
});

test("the person is the one who signed in, also when the token before was another's", async () => {
  const fake = await createFakeProvider();
  const before = await fake.idToken({ sub: "user-2" });
  const error = assertThrows(() => checkRenewedIdToken(before, { ...FACTS, before }), EnterpriseError);
  assertEquals([error.code, error.reason], ["IDENTITY_REFUSED", "subject"]);
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
