import { posix, win32 } from "node:path";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { folderOf, joinPath, resolvePath } from "../../../core/sandbox/resolve_path.ts";

const STEP = fc.constantFrom("a", "B", "..", ".", "", "a.b", "..c", "C:", " ", "é", ".git");
const RELATIVE = fc.array(STEP.filter((step) => step !== "C:"), { maxLength: 6 }).map((steps) =>
  steps.join("/")
);
const ROOTS = { linux: ["/"], windows: ["C:\\", "d:/", "\\\\server\\share\\"] } as const;

const NODE = { linux: posix, windows: win32 } as const;

for (const platform of ["linux", "windows"] as const) {
  const { dirname, join, parse, resolve } = NODE[platform];
  const trimmed = (path: string): string => parse(path).root === path ? path : path.replace(/[\\/]$/, "");
  const root = fc.constantFrom(...ROOTS[platform]);
  const absolute = fc.tuple(root, RELATIVE.map((path) => path.replace(/^\/+/, ""))).map((parts) =>
    parts.join("")
  );

  test(`resolvePath on ${platform}: what Node makes of it`, () => {
    const named = RELATIVE.filter((path) => !/^\/\/[.?]\//.test(path)); // names of devices are nobody's paths
    fc.assert(fc.property(absolute, fc.oneof(named, absolute), (directory, path) => {
      assertEquals(resolvePath(path, { directory, platform }), resolve(directory, path));
    }));
  });

  test(`folderOf on ${platform}: what Node makes of a path that is resolved`, () => {
    fc.assert(fc.property(absolute, (path) => {
      assertEquals(folderOf(resolve(path), { platform }), dirname(resolve(path)));
    }));
  });

  test(`joinPath on ${platform}: what Node makes of it, without a separator at the end`, () => {
    fc.assert(
      fc.property(
        fc.oneof(
          absolute,
          RELATIVE.filter((path) => !path.startsWith("/")),
        ),
        RELATIVE,
        (folder, name) => {
          assertEquals(joinPath(folder, name, { platform }), trimmed(join(folder, name)));
        },
      ),
    );
  });
}

test("resolvePath: on Windows a drive without a root is the folder's, or another's root", () => {
  const on = { directory: "C:\\Users\\dev", platform: "windows" } as const;
  assertEquals(resolvePath("c:x", on), "c:\\Users\\dev\\x");
  assertEquals(resolvePath("D:x", on), "D:\\x");
  assertEquals(resolvePath("\\x", on), "C:\\x");
  assertEquals(resolvePath("x/y", { ...on, directory: "\\\\server\\share" }), "\\\\server\\share\\x\\y");
});

test("joinPath: a relative path may lead out, a root has nothing above it", () => {
  assertEquals(joinPath("../a", "../../../b", { platform: "linux" }), "../../../b");
  assertEquals(joinPath("/a", "../../b", { platform: "linux" }), "/b");
  assertEquals(joinPath("C:\\a", "..\\..\\b", { platform: "windows" }), "C:\\b");
  assertEquals(joinPath("", ".", { platform: "linux" }), ".");
});
