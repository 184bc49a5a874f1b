import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { AnyError } from "../../../core/enterprise/error.ts";
import { CodexMcpError } from "../../../core/errors.ts";

test("EnterpriseError: name, code and details", () => {
  const error: AnyError = new EnterpriseError("SIGN_IN_REQUIRED", "Cannot call: not signed in");
  assert(error instanceof CodexMcpError);
  assertEquals([error.name, error.code, error.message], [
    "EnterpriseError",
    "SIGN_IN_REQUIRED",
    "Cannot call: not signed in",
  ]);
  assertEquals([error.reason, error.section, error.leg, error.field], [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  assert(!Object.hasOwn(error, "cause"));
  const cause = new Error("x");
  assertEquals(new EnterpriseError("LOCK_TIMEOUT", "x", { cause, field: "f" }).cause, cause);
});
