import { test } from "node:test";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { sandboxModifiers } from "../../../core/sandbox/modifiers.ts";
import { refusalCode } from "../refusal.ts";

const ROOT = "--sandbox-state-readable-root";
const NETWORK = "--sandbox-state-disable-network";

test("sandboxModifiers: none, each, all", () => {
  assertEquals(sandboxModifiers({}, "linux"), []);
  assertEquals(sandboxModifiers({ disableNetwork: undefined, readableRoots: undefined }, "linux"), []);
  assertEquals(sandboxModifiers({ disableNetwork: true }, "linux"), [NETWORK]);
  assertEquals(sandboxModifiers({ readableRoots: ["/b c", "/a"] }, "darwin"), [ROOT, "/b c", ROOT, "/a"]);
  const all = { disableNetwork: true, readableRoots: ["C:\\x"] };
  assertEquals(sandboxModifiers(all, "windows"), [ROOT, "C:\\x", NETWORK]);
});

test("sandboxModifiers: a root that is not absolute, or that nothing can hold", () => {
  const code = (root: string, platform: "linux" | "windows"): string =>
    refusalCode(() =>
      sandboxModifiers({ readableRoots: [platform === "linux" ? "/a" : "C:\\a", root] }, platform)
    );
  for (const root of ["", "relative", "./a", "~", "-x", "--", "/a\0", "/\ud800", "C:\\x"]) {
    assertStrictEquals(code(root, "linux"), "COMMAND_INVALID", JSON.stringify(root));
  }
  for (const root of ["/a", "C:x", "\\x", "\\\\.\\x"]) {
    assertStrictEquals(code(root, "windows"), "COMMAND_INVALID");
  }
});
