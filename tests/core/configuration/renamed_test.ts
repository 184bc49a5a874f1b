import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { renamed } from "../../../core/configuration/renamed.ts";
import { faultOf } from "../../../core/configuration/layers/fault.ts";

test("renamed: path, field and message speak of the same", () => {
  const layer = { kind: "user", source: "mcp_servers.a.env.json" } as const;
  const state = "it must be a table, unlike mcp_servers.a.env.";
  const fault = faultOf("FIELD_TYPE", { path: ["mcp_servers", "a", "env"], layer, state });
  const other = renamed(fault, ([, ...rest]) => ["mcpServers", ...rest]);
  assertEquals([other.path, other.field, other.message], [
    ["mcpServers", "a", "env"],
    "mcpServers.a.env",
    `Cannot use mcpServers.a.env of user layer "mcp_servers.a.env.json": ${state}`,
  ]);
  assertEquals([other.code, other.layer], [fault.code, fault.layer]);
});
