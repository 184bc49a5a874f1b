import { test } from "node:test";
import { assertMatch, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { planSandboxedCommand } from "../../../core/sandbox/command.ts";
import type { Platform } from "../../../core/sandbox/path.ts";
import { refusal } from "../refusal.ts";

const CODEX = { linux: "/opt/codex", darwin: "/opt/codex", windows: "C:\\codex dir\\codex.exe" };
const encoder = new TextEncoder();

/** `fits`, or code and message of the refusal. The state is a JSON string, so that its size is easily chosen. */
function plan(
  platform: Platform,
  state: string,
  { command = ["x"], directory }: { readonly command?: readonly string[]; readonly directory?: string } = {},
): string {
  const launcher = { codexExecutable: CODEX[platform] };
  const meta = { "codex/sandbox-state": state, "codex/sandbox-launcher": launcher };
  const authority = captureAuthority(meta, { transport: "stdio" });
  let outcome = "";
  const run = (): void => {
    planSandboxedCommand(authority, command, { platform, directory });
    outcome = "fits";
  };
  try {
    run();
  } catch {
    const { code, message } = refusal(run);
    outcome = `${code}: ${message}`;
  }
  return outcome;
}

/** Text of exactly `bytes` UTF-8 bytes, made of `unit` as far as it goes. */
function bytesOf(bytes: number, unit: string): string {
  const size = encoder.encode(unit).length;
  return unit.repeat(Math.floor(bytes / size)) + "x".repeat(bytes % size);
}

for (const unit of ["x", "ä", "€", "😀"]) {
  test(`planSandboxedCommand: on Linux a state of ${unit} may have 131,071 bytes`, () => {
    // two bytes are the quotes of the JSON string
    assertStrictEquals(plan("linux", bytesOf(131_069, unit)), "fits");
    assertMatch(plan("linux", bytesOf(131_070, unit)), /^STATE_TOO_LARGE: .*131072.*131071 bytes/);
  });

  test(`planSandboxedCommand: on Linux so may an argument of ${unit}, and a directory`, () => {
    const [fits, over] = [bytesOf(131_071, unit), bytesOf(131_072, unit)];
    assertStrictEquals(plan("linux", "s", { command: ["x", fits, fits] }), "fits");
    assertMatch(plan("linux", "s", { command: ["x", over] }), /^COMMAND_INVALID: .*131072.*131071/);
    assertMatch(plan("linux", "s", { command: [over] }), /^COMMAND_INVALID/);
    assertStrictEquals(plan("linux", "s", { directory: `/${bytesOf(131_070, unit)}` }), "fits");
    assertMatch(plan("linux", "s", { directory: `/${bytesOf(131_071, unit)}` }), /^COMMAND_INVALID/);
    assertMatch(plan("linux", "s", { directory: bytesOf(131_070, unit) }), /^COMMAND_INVALID/);
  });
}

test("planSandboxedCommand: on Linux the command is judged first, and no refusal shows the state", () => {
  const large = "s".repeat(140_000);
  assertMatch(plan("linux", large, { command: [large] }), /^COMMAND_INVALID/);
  const refused = plan("linux", large);
  assertMatch(refused, /^STATE_TOO_LARGE/);
  assertStrictEquals(refused.includes("sss"), false);
});

test("planSandboxedCommand: on macOS all arguments together may have 786,432 bytes", () => {
  const vector = [CODEX.darwin, "sandbox", "--sandbox-state-json", '""', "--", "x"];
  const fixed = encoder.encode(vector.map((argument) => `${argument}\0`).join("")).length;
  for (const unit of ["x", "ä", "😀"]) {
    const state = bytesOf(786_432 - fixed, unit);
    assertStrictEquals(plan("darwin", state), "fits");
    assertMatch(plan("darwin", `${state}x`), /^STATE_TOO_LARGE: .*786433.*786432 bytes/);
    assertMatch(plan("darwin", state, { command: ["xy"] }), /^STATE_TOO_LARGE/);
    // one byte is the NUL of the further argument; four are what the state needs in any case
    const command = ["x", bytesOf(786_432 - fixed - 1, unit)];
    assertStrictEquals(plan("darwin", "", { command }), "fits");
    assertMatch(plan("darwin", "", { command: [...command, "x".repeat(9)] }), /^COMMAND_INVALID/);
  }
});

/**
 * Quoting for the Microsoft C runtime, from its rules: 2n backslashes before a quote stand for n, 2n+1 and a quote
 * for n and a quote; elsewhere a backslash is itself.
 */
function windowsQuoted(argument: string): string {
  if (argument !== "" && !/[ \t\n\v\f\r"]/.test(argument)) return argument;
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/** A state that begins with `seed` and makes the command line `units` UTF-16 units long. */
function filledTo(units: number, seed: string, command: readonly string[]): string {
  const state = `${seed}x`;
  const vector = [CODEX.windows, "sandbox", "--sandbox-state-json", JSON.stringify(state), "--", ...command];
  return state + "x".repeat(units - vector.map(windowsQuoted).join(" ").length);
}

test("planSandboxedCommand: on Windows the quoted command line may have 32,766 units", () => {
  const words = [
    ...[
      "plain",
      "",
      "a b",
      "tab\there",
      'say "hi"',
      "\\",
      "\\\\",
      "a\\b c\\",
      "a b\\\\",
      'a\\"b',
      '"',
      '\\"',
    ],
    ...['a\\\\"b c\\\\\\', "ends\\", "ä€😀", "ä 😀", "new\nline"],
  ];
  for (const seed of ["", 'a"b', "a\\b", 'a\\"', "\\", "ä😀"]) {
    for (const word of words) {
      const command = ["x", word];
      const state = filledTo(32_766, seed, command);
      assertStrictEquals(plan("windows", state, { command }), "fits", JSON.stringify([seed, word]));
      const over = plan("windows", `${state}x`, { command });
      assertMatch(over, /^STATE_TOO_LARGE: .*32767.*32766 UTF-16 units/);
    }
  }
});

test("planSandboxedCommand: on Windows any words, to the unit", () => {
  const word = fc.string({ unit: fc.constantFrom("a", " ", "\t", '"', "\\", "ä", "😀"), maxLength: 12 });
  fc.assert(fc.property(fc.array(word, { maxLength: 6 }), word, (words, seed) => {
    const command = ["x", ...words];
    const state = filledTo(32_766, seed, command);
    assertStrictEquals(plan("windows", state, { command }), "fits");
    assertMatch(plan("windows", `${state}x`, { command }), /^STATE_TOO_LARGE/);
  }));
});

test("planSandboxedCommand: on Windows a command too large without the state is the command's fault", () => {
  const command = ["x", "y".repeat(33_000)];
  assertMatch(plan("windows", "", { command }), /^COMMAND_INVALID/);
  assertMatch(plan("windows", "s".repeat(40_000), { command }), /^COMMAND_INVALID/);
  assertMatch(plan("windows", "s".repeat(40_000)), /^STATE_TOO_LARGE/);
  assertMatch(plan("windows", '"'.repeat(20_000)), /^STATE_TOO_LARGE/);
});

test("planSandboxedCommand: the platforms differ in what they take", () => {
  const state = "s".repeat(40_000);
  assertStrictEquals(plan("linux", state), "fits");
  assertStrictEquals(plan("darwin", state.repeat(10)), "fits");
  assertMatch(plan("linux", state.repeat(10)), /^STATE_TOO_LARGE/);
});
