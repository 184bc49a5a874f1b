import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { hostPlatform } from "../../../adapters/deno/host_platform.ts";

test("the platform is that of Deno, and any other Unix counts as Linux", () => {
  const { os } = Deno.build;
  assertEquals(hostPlatform(), os === "windows" || os === "darwin" ? os : "linux");
});
