import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { UsageError } from "../../../adapters/cli/exit_code.ts";
import { wayOf, WAYS } from "../../../adapters/cli/login_ways.ts";

const flags = (...names: readonly string[]) => ({ has: (name: string) => names.includes(name) });

test("one flag chooses the way, none means a browser", () => {
  assertEquals(wayOf(flags()), "browser");
  for (const way of WAYS) assertEquals(wayOf(flags(way, "yes")), way);
});

test("two ways exclude each other", () => {
  const error = assertThrows(() => wayOf(flags("id-token-stdin", "device")), UsageError);
  assertEquals(error.message, "--device and --id-token-stdin exclude each other.");
});
