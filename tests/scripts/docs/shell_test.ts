import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { readShell } from "../../../scripts/docs/shell.ts";

function shown(text: string): string[] {
  return readShell(text).map(({ kind, words, line }) => `${line} ${kind}: ${words.join(" ")}`);
}

test("tasks and commands are found, however they are started", () => {
  assertEquals(
    shown(`npx -y deno@2.9.6 task demo   # a comment: deno task none
deno task codex-mcp check --args '{"a b":"--c"}' \\
  --session-use x -- node server.js --flag
cd x && deno task --config ../runtime/deno.json test; codex-mcp status | jq .
A=1 npx codex-mcp login --idp "a b"
codex mcp add exec -- npx -y deno@2.9.6 run -A "$PWD/adapters/cli/main.ts" serve --timeout 3
`),
    [
      "1 task: demo",
      '2 task: codex-mcp check --args {"a b":"--c"} --session-use x -- node server.js --flag',
      '2 codex-mcp: check --args {"a b":"--c"} --session-use x',
      "4 task: test",
      "4 codex-mcp: status",
      "5 codex-mcp: login --idp a b",
      "6 codex-mcp: serve --timeout 3",
    ],
  );
});

test("what only mentions us is no command", () => {
  assertEquals(shown("ls codex-mcp\necho deno tasks\n`codex-mcp`\n"), []);
});

test("an end of a line in quotes does not end the command", () => {
  assertEquals(shown("codex-mcp call a b '{\n}' --json\ncodex-mcp status\n"), [
    "1 codex-mcp: call a b {\n} --json",
    "3 codex-mcp: status",
  ]);
});
