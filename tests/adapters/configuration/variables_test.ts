import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { variablesOf } from "../../../adapters/configuration/variables.ts";

const environment = { Path: "a", HOME: "b" };

test("variablesOf: by the very name, and on Windows in any case", () => {
  for (const platform of ["linux", "darwin"] as const) {
    const read = variablesOf({ environment, platform });
    assertEquals([read("Path"), read("PATH"), read("toString")], ["a", undefined, undefined]);
  }
  const read = variablesOf({ environment, platform: "windows" });
  assertEquals([read("PATH"), read("home"), read("toString")], ["a", "b", undefined]);
});
