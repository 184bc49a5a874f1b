import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { inDirectory } from "../../../core/sandbox/directory_script.ts";
import { refusalCode } from "../refusal.ts";

const HEAD = ["/bin/sh", "-c", 'CDPATH= cd -- "$1" || exit 125; shift; exec "$@"', "sh"];

test("inDirectory: a constant script; every value is a positional", () => {
  const cases: readonly [string, string][] = [
    ["/srv", "/srv"],
    ["/", "/"],
    ["sub", "./sub"],
    ["-", "./-"],
    ["-x", "./-x"],
    ["--", "./--"],
    ["..", "./.."],
    ["~", "./~"],
    ["a b", "./a b"],
    ["/a b", "/a b"],
    ["'; rm -rf /; '", "./'; rm -rf /; '"],
    ['"$(id)"`id`', './"$(id)"`id`'],
    ["/a\nb", "/a\nb"],
    ["ä😀", "./ä😀"],
  ];
  for (const platform of ["linux", "darwin"] as const) {
    for (const [directory, target] of cases) {
      const wrapped = inDirectory(["make", "a b", "$1", ""], { directory, platform });
      assertEquals([...wrapped], [...HEAD, target, "make", "a b", "$1", ""]);
    }
  }
});

test("inDirectory: the script is the same whatever comes", () => {
  const text = fc.string({ minLength: 1 }).filter((one) => !one.includes("\0"));
  fc.assert(fc.property(text, fc.array(text), (directory, rest) => {
    const wrapped = inDirectory(["make", ...rest], { directory, platform: "linux" });
    assertEquals(wrapped.slice(0, 4), HEAD);
    assert(wrapped[4] === directory && directory.startsWith("/") || wrapped[4] === `./${directory}`);
    assertEquals(wrapped.slice(5), ["make", ...rest]);
  }));
});

test("inDirectory: refused on Windows, without a directory, and for one that cannot be passed on", () => {
  const code = (directory: string, platform: "linux" | "darwin" | "windows"): string =>
    refusalCode(() => inDirectory(["x"], { directory, platform }));
  assertStrictEquals(code("C:\\x", "windows"), "COMMAND_INVALID");
  for (const directory of ["", "/a\0b", "\ud800"]) {
    assertStrictEquals(code(directory, "linux"), "COMMAND_INVALID");
    assertStrictEquals(code(directory, "darwin"), "COMMAND_INVALID");
  }
});

test("inDirectory: refused for a command that a shell's exec would not take for one", () => {
  for (const command of [[], [""], ["-x"], ["--", "ls"], ["-"], ["-c", "x"]]) {
    const got = refusalCode(() => inDirectory(command, { directory: "/srv", platform: "linux" }));
    assertStrictEquals(got, "COMMAND_INVALID");
  }
});
