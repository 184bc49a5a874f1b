import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { mayUseTool, requireUsableTool } from "../../../../../adapters/mcp/host/tools/tool_filter.ts";
import { HostError } from "../../../../../core/errors.ts";

test("the list of tools that may be used, and the one of those that may not, which counts more", () => {
  const rules = { name: "s", enabledTools: ["a", "b"], disabledTools: ["b"] };
  assertEquals(["a", "b", "c"].map((tool) => mayUseTool(rules, tool)), [true, false, false]);
  const open = { name: "s", enabledTools: null, disabledTools: ["b"] };
  assertEquals(["a", "b", "__proto__"].map((tool) => mayUseTool(open, tool)), [true, false, true]);
  requireUsableTool(rules, "a");
  const named = assertThrows(() => requireUsableTool(rules, "b"), HostError, "disabled_tools names it");
  const missing = assertThrows(
    () => requireUsableTool(rules, "c"),
    HostError,
    "enabled_tools does not name it",
  );
  assertEquals([named.code, missing.code], ["TOOL_DISABLED", "TOOL_DISABLED"]);
});
