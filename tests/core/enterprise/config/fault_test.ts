import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { faultError, faultOf, fieldName } from "../../../../core/enterprise/config/fault.ts";

test("faultOf: field, layer and state in one sentence", () => {
  const layer = { kind: "user", source: "/home/dev/.codex/config.toml" } as const;
  const fault = faultOf("FIELD_EMPTY", { path: ["mcp_servers", "s", "url"], layer, state: "it is empty." });
  assertEquals(fault, {
    code: "FIELD_EMPTY",
    field: "mcp_servers.s.url",
    layer,
    message: 'Cannot use mcp_servers.s.url of user layer "/home/dev/.codex/config.toml": it is empty.',
  });
  const error = faultError(fault);
  assertEquals([error.code, error.reason, error.field], [
    "CONFIGURATION_REFUSED",
    "FIELD_EMPTY",
    fault.field,
  ]);
  assertEquals(error.message, fault.message);
});

test("fieldName: a name that is not ours is quoted and cut", () => {
  assertEquals(fieldName(["a", "b c", "d"]), 'a."b c".d');
  assertEquals(fieldName(["x".repeat(500)]).length < 100, true);
});
