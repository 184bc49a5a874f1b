import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import {
  launcherExecutable,
  type LauncherFacts,
  launcherFlaw,
  launcherFor,
  type NoLauncherReason,
} from "../../../core/sandbox/launcher.ts";
import type { Platform } from "../../../core/sandbox/path.ts";

const GOOD: LauncherFacts = {
  transport: "stdio",
  environment: "local",
  executable: "/opt/codex/bin/codex",
  probe: true,
  writableRoots: ["/home/dev/project", "/tmp"],
  workspace: "/home/dev/project",
};

function reason(facts: Partial<LauncherFacts>): NoLauncherReason | undefined {
  return launcherFor({ ...GOOD, ...facts }).reason;
}

test("launcherFor: a launcher when everything fits, and nothing but its path", () => {
  assertEquals(launcherFor(GOOD), { launcher: { codexExecutable: "/opt/codex/bin/codex" } });
  assertEquals(launcherFor({ ...GOOD, writableRoots: [] }).reason, undefined);
});

test("launcherFor: every reason, with a sentence, in the order of the checks", () => {
  const steps: readonly [NoLauncherReason, Partial<LauncherFacts>][] = [
    ["probe-failed", { probe: false }],
    ["in-writable-root", { writableRoots: ["/nowhere", "/home/dev"], workspace: "/elsewhere" }],
    ["in-workspace", { workspace: "/home/dev/project", executable: "/home/dev/project/bin/codex" }],
    ["path-unusable", { executable: "codex" }],
    ["no-executable", { executable: undefined }],
    ["remote-environment", { environment: "remote" }],
    ["not-stdio", { transport: "http" }],
  ];
  let facts: Partial<LauncherFacts> = {};
  for (const [expected, fault] of steps) {
    // each fault comes on top of all later ones
    facts = { ...facts, ...fault };
    if (expected === "in-writable-root") facts = { ...facts, executable: "/home/dev/bin/codex" };
    const decision = launcherFor({ ...GOOD, ...facts });
    assertStrictEquals(decision.reason, expected);
    assert(decision.message !== undefined && /\.$|codex$/.test(decision.message), decision.message);
    assertStrictEquals(decision.launcher, undefined);
  }
});

test("launcherFor: anything but stdio and the local environment", () => {
  for (const environment of ["", "LOCAL", "remote", "container"]) {
    assertStrictEquals(reason({ environment }), "remote-environment");
  }
  assertStrictEquals(reason({ transport: "sse" as "http" }), "not-stdio");
});

test("launcherFor: roots and workspace by whole segments", () => {
  const executable = "/srv/bc/codex";
  assertStrictEquals(reason({ executable, writableRoots: ["/srv/b"] }), undefined);
  assertStrictEquals(reason({ executable, writableRoots: ["/srv/bc"] }), "in-writable-root");
  assertStrictEquals(reason({ executable, writableRoots: ["/srv/bc/codex"] }), "in-writable-root");
  assertStrictEquals(reason({ executable, writableRoots: ["/a", "/"] }), "in-writable-root");
  assertStrictEquals(reason({ executable, workspace: "/srv/b" }), undefined);
  assertStrictEquals(reason({ executable, workspace: "/srv/b/../bc/" }), "in-workspace");
  assertStrictEquals(
    reason({ executable: "/srv/x/../bc/codex", writableRoots: ["/srv/bc"] }),
    "in-writable-root",
  );
  assertStrictEquals(reason({ executable: "/srv/bc/../x/codex", writableRoots: ["/srv/bc"] }), undefined);
  assertStrictEquals(reason({ executable, workspace: "/srv/bc", writableRoots: [] }), "in-workspace");
});

test("launcherFor: without regard to case where file systems have none", () => {
  const facts = { executable: "/Srv/BC/codex", writableRoots: ["/srv/bc"] };
  assertStrictEquals(reason({ ...facts, platform: "darwin" }), "in-writable-root");
  assertStrictEquals(reason({ ...facts, platform: "linux" }), undefined);
  assertStrictEquals(
    reason({ ...facts, writableRoots: [], workspace: "/srv/bC", platform: "darwin" }),
    "in-workspace",
  );
  const windows = { executable: "C:\\Work\\codex.exe", platform: "windows" as const };
  assertStrictEquals(reason({ ...windows, writableRoots: ["c:/WORK"] }), "in-writable-root");
  assertStrictEquals(reason({ ...windows, writableRoots: ["D:\\Work"], workspace: "C:\\Wor" }), undefined);
});

test("launcherFor: messages cut and encode what they quote", () => {
  const { message } = launcherFor({ ...GOOD, executable: `rel\n${"x".repeat(500)}` });
  assert(message !== undefined && message.length < 200 && !message.includes("\n"), message);
  assertStringIncludes(message, "rel\\nxxx");
});

test("launcherExecutable: the own path of an object", () => {
  assertStrictEquals(launcherExecutable({ codexExecutable: "/a", more: 1 }), "/a");
  assertStrictEquals(launcherExecutable({ codexExecutable: "" }), "");
  const none = [undefined, null, "/a", ["/a"], {}, { codexExecutable: null }, { codexExecutable: ["/a"] }, {
    executable: "/a",
  }];
  for (const value of [...none, Object.create({ codexExecutable: "/a" })]) {
    assertStrictEquals(launcherExecutable(value), null);
  }
});

test("launcherFlaw: batch files by any spelling, on every platform", () => {
  const names = [
    "codex.cmd",
    "codex.CMD",
    "codex.Bat",
    "codex.ps1",
    "codex.PS1",
    "codex.cmd.",
    "codex.bat ",
    "codex.cmd. . ",
    ".cmd",
  ];
  for (const name of names) {
    for (const platform of ["linux", "darwin"] as const) {
      assertStringIncludes(launcherFlaw(`/opt/${name}`, platform) ?? "", "batch", name);
    }
    for (const folder of ["C:\\x\\", "C:/x/", "\\\\s\\t\\", "\\\\?\\C:\\"]) {
      assertStringIncludes(launcherFlaw(folder + name, "windows") ?? "", "batch", folder + name);
    }
  }
});

test("launcherFlaw: batch files behind segments that Windows resolves away", () => {
  const paths = [
    "C:\\x\\codex.cmd\\.",
    "C:\\x\\codex.cmd\\",
    "C:\\x\\codex.bat\\y\\..",
    "C:/x/codex.ps1/./",
    "C:\\x\\codex.cmd\\. ",
  ];
  const taken = paths.filter((path) => launcherFlaw(path, "windows") === null);
  assertEquals(taken, []);
});

test("launcherFlaw: streams, relative and unrepresentable paths", () => {
  const flawed: readonly [string, Platform][] = [
    ["C:\\codex.exe:x", "windows"],
    ["C:\\codex.cmd::$DATA", "windows"],
    ["C:codex.exe", "windows"],
    ["\\\\.\\C:\\codex.exe", "windows"],
    ["codex", "linux"],
    ["", "linux"],
    ["", "windows"],
    ["/a\0", "linux"],
    ["/\ud800", "darwin"],
    ["C:\\codex.exe\0.cmd", "windows"],
  ];
  for (const [path, platform] of flawed) assert(launcherFlaw(path, platform) !== null, JSON.stringify(path));
  const fine: readonly [string, Platform][] = [
    ["/opt/codex", "linux"],
    ["/opt/a:b/codex:c", "linux"],
    ["/opt/x.cmd/codex", "linux"],
    ["/opt/codex.cmd.exe", "linux"],
    ["/opt/codexcmd", "darwin"],
    ["/opt/codex\\x", "linux"],
    ["C:\\x.cmd\\codex.exe", "windows"],
    ["C:\\codex.cmdx", "windows"],
    ["\\\\server\\share\\codex.exe", "windows"],
  ];
  for (const [path, platform] of fine) assertStrictEquals(launcherFlaw(path, platform), null, path);
});
