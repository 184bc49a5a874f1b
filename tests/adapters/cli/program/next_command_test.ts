import { assertEquals } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { byNpx, onSameFile, startedAs } from "../../../../adapters/cli/program/next_command.ts";

const on = (text: string, config?: string): string =>
  onSameFile(text, { value: (name) => name === "config" ? config : undefined });

test("the file that was named is in each command that reads one", () => {
  assertEquals(
    on("Start it, then run: codex-mcp login --idp acme", ".mcp.json"),
    "Start it, then run: codex-mcp login --config .mcp.json --idp acme",
  );
  assertEquals(
    on("Run: codex-mcp tools -- '-x', or codex-mcp status.", "/a/b.toml"),
    "Run: codex-mcp tools --config /a/b.toml -- '-x', or codex-mcp status --config /a/b.toml.",
  );
  assertEquals(on("codex-mcp servers --stderr", "a b's"), "codex-mcp servers --config 'a b'\\''s' --stderr");
});

test("what names none, what has one, and what is not ours stays", () => {
  assertEquals(on("Run: codex-mcp status"), "Run: codex-mcp status");
  for (
    const text of ["codex-mcp tools --config x y", "codex-mcp call --help", "codex-mcp exec", "codex status"]
  ) {
    assertEquals(on(text, "f"), text);
  }
});

/** Runs `body` as a program that npm starts so. */
function startedBy(event: string, script: string, body: () => void): void {
  const variables = { npm_lifecycle_event: event, npm_lifecycle_script: script };
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    body();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

test("what npx started is told to be started by npx", () => {
  startedBy("npx", "'codex-mcp'", () => {
    assertEquals(on("Run: codex-mcp login --idp acme"), "Run: npx @codex-mcp/runtime login --idp acme");
    assertEquals(on("Run: codex-mcp status", "f"), "Run: npx @codex-mcp/runtime status --config f");
    assertEquals(byNpx("Try: codex-mcp --help"), "Try: npx @codex-mcp/runtime --help");
    for (const text of ["codex-mcp: nothing", "codex-mcp 0.1.0", "my-codex-mcp-x login"]) {
      assertEquals(on(text), text);
    }
  });
});

test("what a project has installed is started by its own name, and by npx", () => {
  const rows = [
    ["/p/node_modules/.bin/codex-mcp", "Run: npx codex-mcp status --config f"],
    ["/home/a/.npm/_npx/1f/node_modules/.bin/codex-mcp", "Run: codex-mcp status --config f"],
    ["/usr/local/bin/codex-mcp", "Run: codex-mcp status --config f"],
    [undefined, "Run: codex-mcp status --config f"],
  ] as const;
  try {
    for (const [path, told] of rows) {
      startedAs(path);
      assertEquals(on("Run: codex-mcp status", "f"), told);
    }
    startedAs("/home/a/.npm/_npx/1f/node_modules/.bin/codex-mcp");
    startedBy(
      "npx",
      "codex-mcp",
      () => assertEquals(byNpx("codex-mcp status"), "npx @codex-mcp/runtime status"),
    );
  } finally {
    startedAs(undefined);
  }
});

test("what npm started otherwise, or npx under another name, is on PATH", () => {
  for (const [event, script] of [["start", "codex-mcp status"], ["npx", "deno task codex-mcp"]] as const) {
    startedBy(event, script, () => assertEquals(on("Run: codex-mcp status"), "Run: codex-mcp status"));
  }
});
