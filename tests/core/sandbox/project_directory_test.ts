import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import type { JsonValue } from "../../../core/json/value.ts";
import type { Platform } from "../../../core/sandbox/path.ts";
import { projectDirectory } from "../../../core/sandbox/project_directory.ts";
import { CAPTURES_WITH_STATE } from "../../fixtures/captures/mod.ts";
import { refusal, refusalCode } from "../refusal.ts";

const read = (sandboxCwd: JsonValue, platform?: Platform): string =>
  projectDirectory({ sandboxCwd }, { platform });

test("projectDirectory: of every capture", () => {
  for (const { meta } of CAPTURES_WITH_STATE) {
    assertStrictEquals(projectDirectory(meta["codex/sandbox-state"]!), "/home/dev/project");
  }
});

test("projectDirectory: a file URI or a plain path of this platform", () => {
  const cases: readonly [string, string, Platform][] = [
    ["file:///home/dev", "/home/dev", "linux"],
    ["file:///home/dev", "/home/dev", "darwin"],
    ["file://localhost/home/dev", "/home/dev", "linux"],
    ["file:/home/dev", "/home/dev", "linux"],
    ["FILE:///home/dev", "/home/dev", "linux"],
    ["file:///", "/", "linux"],
    ["file:///a%20b/%C3%A4/%F0%9F%98%80", "/a b/ä/😀", "linux"],
    ["file:///a%25b%23c%3Fd", "/a%b#c?d", "linux"],
    ["file:///a%5Cb", "/a\\b", "linux"],
    ["file:///a%0Ab", "/a\nb", "linux"],
    ["/home/dev", "/home/dev", "linux"],
    ["/home/a%20b", "/home/a%20b", "linux"],
    ["/home/file:x", "/home/file:x", "darwin"],
    ["file:///C:/Users/dev", "C:\\Users\\dev", "windows"],
    ["file:///c:/a%20b", "c:\\a b", "windows"],
    ["file://server/share/x", "\\\\server\\share\\x", "windows"],
    ["C:\\Users\\dev", "C:\\Users\\dev", "windows"],
    ["C:/Users", "C:/Users", "windows"],
    ["\\\\server\\share\\x", "\\\\server\\share\\x", "windows"],
  ];
  for (const [given, expected, platform] of cases) {
    assertStrictEquals(read(given, platform), expected, `${given} on ${platform}`);
  }
  assertStrictEquals(read("/home/dev"), "/home/dev");
});

test("projectDirectory: one of another system is not native, and never translated", () => {
  const cases: readonly [string, Platform][] = [
    ["file:///C:/Users/dev", "linux"],
    ["file:///c:/Users/dev", "darwin"],
    ["C:\\Users\\dev", "linux"],
    ["/C:/Users", "linux"],
    ["\\\\server\\share", "darwin"],
    ["file://server/share/x", "linux"],
    ["file:///home/dev", "windows"],
    ["/home/dev", "windows"],
    ["/mnt/c/Users", "windows"],
    ["C:relative", "windows"],
    ["relative", "linux"],
    ["./relative", "darwin"],
    ["", "linux"],
    ["~", "linux"],
    ["https://example.test/x", "linux"],
  ];
  for (const [given, platform] of cases) {
    assertStrictEquals(
      refusalCode(() => read(given, platform)),
      "DIRECTORY_NOT_NATIVE",
      `${given} on ${platform}`,
    );
  }
});

test("projectDirectory: none, or none that can be read", () => {
  const states: readonly JsonValue[] = [null, 7, "text", "/home/dev", [], {}, { cwd: "/a" }, {
    SandboxCwd: "/a",
  }];
  for (const state of states) {
    assertStrictEquals(refusalCode(() => projectDirectory(state)), "DIRECTORY_UNKNOWN");
  }
  for (const value of [null, 7, true, [], ["/a"], {}, { path: "/a" }] as const) {
    assertStrictEquals(refusalCode(() => read(value)), "DIRECTORY_UNKNOWN");
  }
  const inherited = Object.create({ sandboxCwd: "/a" });
  assertStrictEquals(refusalCode(() => projectDirectory(inherited)), "DIRECTORY_UNKNOWN");
  const unreadable = [
    ...["file:///a%00b", "file:///a%FFb", "file:///a%E4", "file:///a%", "file:///a%2Fb", "file:///a%2fb"],
    ...["file:///a?query", "file:///a#part", "file://[", "/a\0b", "/a\ud800"],
  ];
  for (const value of unreadable) {
    assertStrictEquals(refusalCode(() => read(value)), "DIRECTORY_UNKNOWN", JSON.stringify(value));
  }
  assertStrictEquals(refusalCode(() => read("file:///C:/a%5Cb", "windows")), "DIRECTORY_UNKNOWN");
});

test("projectDirectory: messages quote little and keep no cause", () => {
  const error = refusal(() => read(`C:\\${"x".repeat(500)}`));
  assert(error.message.length < 250, error.message);
  assertEquals([error.cause, refusal(() => read("file:///%FF")).cause], [undefined, undefined]);
});

test("projectDirectory: a file URI that is relative names nothing", () => {
  for (const sandboxCwd of ["file:etc", "FILE:etc/x", "file:"]) {
    assertStrictEquals(refusalCode(() => projectDirectory({ sandboxCwd })), "DIRECTORY_UNKNOWN", sandboxCwd);
  }
});
