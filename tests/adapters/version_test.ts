import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { VERSION } from "../../adapters/version.ts";
import configuration from "../../deno.json" with { type: "json" };

test("the version is the package's", () => {
  assertEquals(VERSION, configuration.version);
});
