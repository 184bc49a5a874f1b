import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { referenceArgs } from "../../../scripts/docs/api.ts";

test("the reference is made of every export, each file once", () => {
  assertEquals(
    referenceArgs({ name: "@a/b", exports: { ".": "./mod.ts", "./c": "./c.ts", "./d": "./c.ts" } }),
    [
      "doc",
      "--html",
      "--name=@a/b",
      "--output=dist/api",
      "./mod.ts",
      "./c.ts",
    ],
  );
});
