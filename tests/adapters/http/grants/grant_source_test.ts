import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { closedKeyring } from "../../../../adapters/http/grants/grant_source.ts";

test("an error says of the keyring that it is absent or locked, or nothing", () => {
  const codes = ["KEYRING_ABSENT", "KEYRING_LOCKED", "KEYRING_UNRELIABLE", "LOCK_TIMEOUT"] as const;
  const said = codes.map((code) => closedKeyring(new EnterpriseError(code, "Cannot read")));
  assertEquals(said, ["absent", "locked", null, null]);
  assertEquals(closedKeyring(Object.assign(new Error("no"), { code: "KEYRING_LOCKED" })), null);
});
