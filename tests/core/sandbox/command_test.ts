import { test } from "node:test";
import { assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type { CapturedAuthority } from "../../../core/sandbox/authority.ts";
import { captureAuthority, type CaptureOptions } from "../../../core/sandbox/capture.ts";
import { type PlanOptions, planSandboxedCommand } from "../../../core/sandbox/command.ts";
import type { Platform } from "../../../core/sandbox/path.ts";
import { CAPTURES_WITH_STATE } from "../../fixtures/captures/mod.ts";
import { exactJson } from "../arbitrary_json.ts";
import { refusal, refusalCode } from "../refusal.ts";

const PLATFORMS: readonly Platform[] = ["linux", "darwin", "windows"];
const CODEX = "/opt/codex/bin/codex";
const HEAD = ["sandbox", "--sandbox-state-json", '{"s":1}'];

/** Authority over `{"s":1}` with this launcher. */
function authorityOf(launcher: unknown, options: CaptureOptions = { transport: "stdio" }): CapturedAuthority {
  const meta = { "codex/sandbox-state": { s: 1 }, "codex/sandbox-launcher": launcher };
  return captureAuthority(meta, options);
}

/** The code of the refusal of `x` under this launcher. */
function codeOf(launcher: unknown, options: PlanOptions = {}): string {
  const authority = authorityOf(launcher);
  return refusalCode(() => planSandboxedCommand(authority, ["x"], options));
}

for (const { name, meta, transport } of CAPTURES_WITH_STATE) {
  test(`planSandboxedCommand: the exact vector for the capture ${name}`, () => {
    const authority = captureAuthority(meta, { transport });
    if (transport === "http") {
      assertStrictEquals(refusalCode(() => planSandboxedCommand(authority, ["ls"])), "LAUNCHER_MISSING");
      return;
    }
    const state = JSON.stringify(meta["codex/sandbox-state"]);
    assertEquals(planSandboxedCommand(authority, ["ls", "-l", "a b", "", "--", "'$x'"]), {
      executable: CODEX,
      args: ["sandbox", "--sandbox-state-json", state, "--", "ls", "-l", "a b", "", "--", "'$x'"],
    });
  });
}

test("planSandboxedCommand: modifiers stand between the state and the command, roots first", () => {
  const authority = authorityOf({ codexExecutable: CODEX });
  const flag = "--sandbox-state-disable-network";
  const args = (options: PlanOptions) => planSandboxedCommand(authority, [flag], options).args;
  assertEquals(args({}), [...HEAD, "--", flag]);
  assertEquals(args({ disableNetwork: false, readableRoots: [] }), [...HEAD, "--", flag]);
  const root = "--sandbox-state-readable-root";
  assertEquals(
    args({ disableNetwork: true, readableRoots: ["/b", "/a"] }),
    [...HEAD, root, "/b", root, "/a", flag, "--", flag],
  );
});

test("planSandboxedCommand: the source text is the argument, byte for byte", () => {
  const stateText = ' {"10":1,"2":1e400,"n":9223372036854775807,"m":-0} ';
  const meta = {
    "codex/sandbox-state": JSON.parse(stateText),
    "codex/sandbox-launcher": { codexExecutable: CODEX },
  };
  const authority = captureAuthority(meta, { transport: "stdio", stateText });
  assertStrictEquals(planSandboxedCommand(authority, ["true"]).args[2], stateText);
});

test("planSandboxedCommand: any state and command come out as they went in", () => {
  const word = fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.replaceAll("\0", "x"));
  fc.assert(fc.property(exactJson, word, fc.array(word), (state, first, rest) => {
    const command = Object.freeze([`x${first}`, ...rest]);
    const meta = { "codex/sandbox-state": state, "codex/sandbox-launcher": { codexExecutable: CODEX } };
    const { executable, args } = planSandboxedCommand(
      captureAuthority(meta, { transport: "stdio" }),
      command,
    );
    assertStrictEquals(executable, CODEX);
    assertEquals([...args], ["sandbox", "--sandbox-state-json", JSON.stringify(state), "--", ...command]);
  }));
});

test("planSandboxedCommand: with a directory the command is wrapped, the state stays", () => {
  const authority = authorityOf({ codexExecutable: CODEX });
  const options = { directory: "sub dir", disableNetwork: true };
  const { args } = planSandboxedCommand(authority, ["make", "a b"], options);
  assertEquals(args.slice(0, 7), [...HEAD, "--sandbox-state-disable-network", "--", "/bin/sh", "-c"]);
  assertEquals(args.slice(8), ["sh", "./sub dir", "make", "a b"]);
});

test("planSandboxedCommand: no launcher is missing, on any transport and platform", () => {
  for (const transport of ["stdio", "http", undefined] as const) {
    for (const platform of PLATFORMS) {
      const authority = authorityOf(undefined, { transport });
      const got = refusalCode(() => planSandboxedCommand(authority, ["x"], { platform }));
      assertStrictEquals(got, "LAUNCHER_MISSING");
    }
  }
});

test("planSandboxedCommand: a launcher that did not come over stdio is invalid, however good", () => {
  for (const transport of ["http", undefined, "STDIO" as "stdio"] as const) {
    const authority = authorityOf({ codexExecutable: CODEX }, { transport });
    const error = refusal(() => planSandboxedCommand(authority, ["x"]));
    assertStrictEquals(error.code, "LAUNCHER_INVALID");
    assertStringIncludes(error.message, "stdio");
  }
});

test("planSandboxedCommand: what is no launcher, on every platform", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  const values: readonly unknown[] = [
    ...[null, CODEX, "", 7, true, 1n, circle, [], [CODEX], {}, () => 1],
    ...[null, 7, [CODEX], { path: CODEX }].map((codexExecutable) => ({ codexExecutable })),
    { CodexExecutable: CODEX },
    { codex_executable: CODEX },
    Object.create({ codexExecutable: CODEX }),
    JSON.parse(`{"__proto__":{"codexExecutable":"${CODEX}"}}`),
  ];
  for (const platform of PLATFORMS) {
    for (const value of values) assertStrictEquals(codeOf(value, { platform }), "LAUNCHER_INVALID");
  }
});

test("planSandboxedCommand: paths that are no launcher, on every platform", () => {
  const endings = [".cmd", ".CMD", ".bat", ".BaT", ".ps1", ".PS1", ".cmd.", ".bat ", ".ps1 . ."];
  const stems = ["/opt/codex", "C:\\opt\\codex", "\\\\server\\share\\codex"];
  const paths = [
    ...["", "codex", "./codex", "bin/codex", "~/codex", "C:codex.exe", "\\codex.exe", "\\\\.\\pipe\\codex"],
    ...["\\\\?\\UNC\\server\\share\\codex.exe", "/a\0/codex", "/\ud800/codex", "C:\\\udc00\\codex.exe"],
    ...stems.flatMap((stem) => endings.map((end) => stem + end)),
  ];
  for (const platform of PLATFORMS) {
    for (const codexExecutable of paths) {
      const got = codeOf({ codexExecutable }, { platform });
      assertStrictEquals(got, "LAUNCHER_INVALID", `${JSON.stringify(codexExecutable)} on ${platform}`);
    }
  }
});

test("planSandboxedCommand: the launcher of another platform is none here; Linux is the default", () => {
  assertStrictEquals(codeOf({ codexExecutable: "/opt/codex" }, { platform: "windows" }), "LAUNCHER_INVALID");
  for (const codexExecutable of ["C:\\codex.exe", "\\\\server\\share\\codex.exe"]) {
    for (const options of [{}, { platform: "linux" }, { platform: "darwin" }] as const) {
      assertStrictEquals(codeOf({ codexExecutable }, options), "LAUNCHER_INVALID");
    }
  }
});

test("planSandboxedCommand: further fields do not matter, and the path is used as it is", () => {
  const cases: readonly [string, Platform][] = [
    ["/opt/a b/../codex", "linux"],
    ["/opt/ä😀/codex", "darwin"],
    ["C:\\Program Files\\codex.exe", "windows"],
    ["\\\\server\\share\\codex.exe", "windows"],
  ];
  for (const [codexExecutable, platform] of cases) {
    const authority = authorityOf({ future: [1], codexExecutable, args: ["--evil"] });
    const { executable, args } = planSandboxedCommand(authority, ["x"], { platform });
    assertStrictEquals(executable, codexExecutable);
    assertEquals([...args], [...HEAD, "--", "x"]);
  }
});

test("planSandboxedCommand: an empty command, NUL and lone surrogates", () => {
  const authority = authorityOf({ codexExecutable: CODEX });
  for (const command of [[], [""], ["", "x"], ["a\0"], ["a", "\0"], ["a", "b\ud800"], ["\udfff"]]) {
    for (const directory of [undefined, "/srv"]) {
      for (const platform of ["linux", "darwin"] as const) {
        const got = refusalCode(() => planSandboxedCommand(authority, command, { directory, platform }));
        assertStrictEquals(got, "COMMAND_INVALID", JSON.stringify([command, directory]));
      }
    }
  }
});

test("planSandboxedCommand: the checks come in their order", () => {
  const authority = authorityOf({ codexExecutable: CODEX });
  const bad = { directory: "\0", readableRoots: ["relative"] };
  assertStrictEquals(codeOf(undefined, bad), "LAUNCHER_MISSING");
  assertStringIncludes(refusal(() => planSandboxedCommand(authority, ["x"], bad)).message, "directory");
  const { message } = refusal(() => planSandboxedCommand(authority, [], { readableRoots: ["relative"] }));
  assertStringIncludes(message, "readable");
});
