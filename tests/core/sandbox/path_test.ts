import { test } from "node:test";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { isAbsolutePath, isInside, isRepresentable } from "../../../core/sandbox/path.ts";

test("isRepresentable: no NUL, no lone surrogate", () => {
  for (const text of ["", "/a", "ä", "😀", "\u0001", "\uffff", "\n"]) {
    assertStrictEquals(isRepresentable(text), true);
  }
  for (const text of ["\0", "a\0b", "\ud800", "a\udc00", "\udc00\ud800"]) {
    assertStrictEquals(isRepresentable(text), false);
  }
});

test("isAbsolutePath: on Linux and macOS what begins with a slash", () => {
  for (const platform of ["linux", "darwin"] as const) {
    for (const path of ["/", "/a", "//a", "/a/../b", "/C:/x"]) {
      assertStrictEquals(isAbsolutePath(path, platform), true);
    }
    for (
      const path of ["", "a", "./a", "../a", "~", "~/a", " /a", "C:\\a", "\\a", "\\\\s\\t\\u", "file:///a"]
    ) {
      assertStrictEquals(isAbsolutePath(path, platform), false, path);
    }
  }
});

test("isAbsolutePath: on Windows a drive with a slash, or a share", () => {
  const yes = [
    "C:\\",
    "C:/",
    "c:\\a",
    "Z:\\a b\\c",
    "\\\\server\\share\\x",
    "//server/share",
    "\\\\?\\C:\\x",
  ];
  const no = [
    "",
    "a",
    "C:",
    "C:a",
    "1:\\a",
    "CC:\\a",
    "\\a",
    "/a",
    "\\\\server",
    "\\\\server\\",
    "\\\\.\\pipe\\x",
    "\\\\.\\C:\\x",
    "//./C:/x",
    "\\\\?\\UNC\\s\\t",
    "\\\\?\\Volume{x}\\a",
    "\\\\?\\GLOBALROOT\\a",
    "//?/C:/x",
    "\\??\\C:\\x",
    " C:\\a",
  ];
  for (const path of yes) assertStrictEquals(isAbsolutePath(path, "windows"), true, path);
  for (const path of no) assertStrictEquals(isAbsolutePath(path, "windows"), false, path);
});

test("isInside: by whole segments, resolved as text", () => {
  const cases: readonly [string, string, boolean][] = [
    ["/a/b", "/a", true],
    ["/a/b", "/a/", true],
    ["/a/b", "/a/b", true],
    ["/a/b", "/", true],
    ["/a", "/a/b", false],
    ["/a/bc", "/a/b", false],
    ["/a/b.x", "/a/b", false],
    ["/a/b/../c", "/a/b", false],
    ["/a/c/../b/x", "/a/b", true],
    ["/a/./b//x", "/a/b", true],
    ["/x/y", "/x/z/../y", true],
    ["/../a/b", "/a", true],
    ["/a/../../../b", "/b", true],
    ["/A/b", "/a", false],
    ["/a/\u00e9/x", "/a/e\u0301", false],
    ["/a\\b/c", "/a", false],
    ["/a/?/../b/codex", "/a", true],
    ["/a/codex", "/a/?", false],
  ];
  for (const [path, root, expected] of cases) {
    assertStrictEquals(isInside(path, root, "linux"), expected, `${path} in ${root}`);
  }
});

test("isInside: on macOS and Windows without regard to case and composition", () => {
  const cases: readonly [string, string, boolean][] = [
    ["/Users/Dev/x", "/users/DEV", true],
    ["/a/\u00e9/x", "/a/e\u0301", true],
    ["/Ä/x", "/ä", true],
    ["/a/bc", "/A/B", false],
  ];
  for (const [path, root, expected] of cases) {
    assertStrictEquals(isInside(path, root, "darwin"), expected, `${path} in ${root}`);
    assertStrictEquals(isInside(`C:${path}`, `c:${root.replaceAll("/", "\\")}`, "windows"), expected);
  }
  assertEquals(
    [
      isInside("C:\\ws\\codex.exe", "D:\\ws", "windows"),
      isInside("\\\\?\\C:\\ws\\codex.exe", "C:\\ws", "windows"),
      isInside("C:/ws/x/..\\codex.exe", "C:\\WS\\", "windows"),
      isInside("\\\\srv\\share\\x", "//SRV/share", "windows"),
      isInside("C:\\wsx\\codex.exe", "C:\\ws", "windows"),
    ],
    [false, true, true, true, false],
  );
});
