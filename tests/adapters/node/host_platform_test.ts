import { assertEquals } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { hostPlatform } from "../../../adapters/node/host_platform.ts";

test("the platform is that of Node, and any other Unix counts as Linux", () => {
  const expected = { win32: "windows", darwin: "darwin" }[process.platform as string] ?? "linux";
  assertEquals(hostPlatform(), expected);
});
