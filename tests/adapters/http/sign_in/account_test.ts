import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { nameInToken, nameOf, ownerOf } from "../../../../adapters/http/sign_in/account.ts";
import { createFakeProvider } from "./fake_provider.ts";

test("the owner is the subject and its workspace", () => {
  assertEquals(ownerOf({ sub: "a", workspace_id: "w", org_id: "o" }), { user: "a", workspace: "w" });
  assertEquals(ownerOf({ sub: "a", org_id: "o" }), { user: "a", workspace: "o" });
  assertEquals(ownerOf({ sub: "a", workspace_id: 7, org_id: "" }), { user: "a", workspace: null });
  assertEquals(ownerOf(Object.create({ workspace_id: "inherited" })), { user: "", workspace: null });
});

test("the name is what a person recognises", () => {
  assertEquals(nameOf({ sub: "a", name: "A", preferred_username: "aa", email: "a@b" }), "a@b");
  assertEquals(nameOf({ sub: "a", name: "A", preferred_username: "aa" }), "aa");
  assertEquals(nameOf({ sub: "a" }), "a");
  assertEquals(nameOf({}), null);
});

test("the name in a stored ID token, and in what is none", async () => {
  const fake = await createFakeProvider();
  assertEquals(nameInToken(await fake.idToken()), "me@acme.example");
  assertEquals(nameInToken("no token"), null);
});
