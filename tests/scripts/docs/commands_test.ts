import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { commandFlaw, knownCommands } from "../../../scripts/docs/commands.ts";
import { readShell } from "../../../scripts/docs/shell.ts";

async function flaws(text: string): Promise<(string | null)[]> {
  const known = await knownCommands(["ok", "codex-mcp"]);
  return readShell(text).map((command) => commandFlaw(command, known));
}

test("what there is passes", async () => {
  const text =
    "deno task ok\ncodex-mcp exec --policy=read-only --cwd . -- rm --nothing\ncodex-mcp --version\n" +
    "codex-mcp COMMAND --help\ncodex-mcp status --json\n";
  assertEquals(await flaws(text), [null, null, null, null, null]);
});

test("a task, a command and a flag that there is not are found", async () => {
  assertEquals(await flaws("deno task okay\ncodex-mcp run x\ncodex-mcp status --policy x\n"), [
    "runs the task okay, which deno.json does not have",
    "runs codex-mcp run, which there is not",
    "gives codex-mcp status --policy, which it does not know",
  ]);
});
