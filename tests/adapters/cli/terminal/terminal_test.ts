import { assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { paint, withSpinner } from "../../../../adapters/cli/terminal/terminal.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const MAIN = [
  "run",
  "-A",
  "--quiet",
  "--no-check",
  "--config",
  `${ROOT}deno.json`,
  `${ROOT}adapters/cli/main.ts`,
];

/** A file that is always full. */
const hasFullDisk = existsSync("/dev/full");

/** Runs `body` with `NO_COLOR` at a value. */
function withNoColor<Value>(value: string | undefined, body: () => Value): Value {
  const before = process.env["NO_COLOR"];
  try {
    if (value === undefined) delete process.env["NO_COLOR"];
    else process.env["NO_COLOR"] = value;
    return body();
  } finally {
    if (before === undefined) delete process.env["NO_COLOR"];
    else process.env["NO_COLOR"] = before;
  }
}

test("a tone is a colour on a terminal", () => {
  withNoColor(undefined, () => {
    const painted = (["good", "bad", "quiet"] as const).map((tone) => paint("x", tone, { isTTY: true }));
    assertEquals(painted, ["\u001b[32mx\u001b[0m", "\u001b[31mx\u001b[0m", "\u001b[2mx\u001b[0m"]);
  });
});

test("there is no colour elsewhere, or with NO_COLOR", () => {
  withNoColor(undefined, () => {
    assertEquals([paint("x", "bad", {}), paint("x", "bad", { isTTY: false })], ["x", "x"]);
  });
  withNoColor("1", () => assertEquals(paint("x", "bad", { isTTY: true }), "x"));
  withNoColor("0", () => assertEquals(paint("x", "bad", { isTTY: true }), "x"));
  withNoColor("", () => assertEquals(paint("x", "bad", { isTTY: true }), "\u001b[31mx\u001b[0m"));
});

test("work under a spinner gives its value or its error", async () => {
  assertEquals(await withSpinner("Working", () => Promise.resolve(7)), 7);
  const error = new Error("no");
  const thrown = await withSpinner("Working", () => Promise.reject(error)).catch((reason: unknown) => reason);
  assertEquals(thrown === error, true);
});

test(
  "output that cannot be written is no success, and is told where that can be",
  { skip: !hasFullDisk },
  async () => {
    const rows = [
      ["--version", ">/dev/full", 1, /^codex-mcp: Cannot write standard output: ENOSPC\n$/],
      ["--version", "2>/dev/full", 0, /^$/],
      ["--version", ">/dev/full 2>&1", 1, /^$/],
      ["nope", ">/dev/full", 2, /^codex-mcp: There is no command "nope"\.\n/],
      ["nope", "2>/dev/full", 2, /^$/],
    ] as const;
    for (const [word, redirection, code, told] of rows) {
      const args = ["-c", `exec "$@" ${redirection}`, "sh", Deno.execPath(), ...MAIN, word];
      const outcome = await new Deno.Command("/bin/sh", { args, stdin: "null", env: { NO_COLOR: "1" } })
        .output();
      const stderr = new TextDecoder().decode(outcome.stderr);
      assertEquals([outcome.code, told.test(stderr)], [code, true], `${word} ${redirection}: ${stderr}`);
    }
  },
);
