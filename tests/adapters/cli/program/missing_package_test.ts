import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { missingPackage } from "../../../../adapters/cli/program/missing_package.ts";

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

test("a package that is not there is told with the command that installs it", () => {
  const found = missingPackage(
    failure(
      "ERR_MODULE_NOT_FOUND",
      "Cannot find package '@modelcontextprotocol/client' imported from /a/b.js",
    ),
  );
  assertEquals(found?.code, "PACKAGE_MISSING");
  assertMatch(
    found?.message ?? "",
    /"@modelcontextprotocol\/client" is not installed\. .*: npm install --include=optional$/,
  );
});

test("any other error is none of that", () => {
  for (
    const error of [
      failure("ERR_MODULE_NOT_FOUND", "Cannot find module '/a/b.js' imported from /a/c.js"),
      failure("ENOENT", "Cannot find package 'x'"),
      new Error("Cannot find package 'x'"),
      "Cannot find package 'x'",
    ]
  ) assertEquals(missingPackage(error), null);
});
