import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { toolsCommand } from "../../../../adapters/cli/program/tools_command.ts";

test("a name stands as a shell takes it", () => {
  assertEquals(toolsCommand("files"), "codex-mcp tools files");
  assertEquals(toolsCommand("@acme/files.v2"), "codex-mcp tools '@acme/files.v2'");
  assertEquals(toolsCommand("it's $HOME"), "codex-mcp tools 'it'\\''s $HOME'");
  assertEquals(toolsCommand("--json"), "codex-mcp tools -- '--json'");
});
