import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { onSameFile } from "../../../adapters/cli/same_file.ts";

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
