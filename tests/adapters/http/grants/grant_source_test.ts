import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { isClosed } from "../../../../adapters/http/grants/grant_source.ts";

test("a keyring that is absent or locked is closed, and nothing else is", () => {
  const codes = ["KEYRING_ABSENT", "KEYRING_LOCKED", "KEYRING_UNRELIABLE", "LOCK_TIMEOUT"] as const;
  const closed = codes.filter((code) => isClosed(new EnterpriseError(code, "Cannot read")));
  assertEquals(closed, ["KEYRING_ABSENT", "KEYRING_LOCKED"]);
  assertEquals(isClosed(Object.assign(new Error("no"), { code: "KEYRING_LOCKED" })), false);
});
