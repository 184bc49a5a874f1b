import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { capabilityOf, listOf } from "../../../../core/enterprise/discovery/capability.ts";

test("capabilityOf: absent, lacking and malformed are three things", () => {
  const of = (list: unknown) => capabilityOf(list === undefined ? {} : { list }, ["list", "x"]);
  assertEquals([of(undefined), of(["y", "x"]), of(["y"]), of([]), of("x"), of([1]), of(null)], [
    "unknown",
    "supported",
    "unsupported",
    "unsupported",
    "malformed",
    "malformed",
    "malformed",
  ]);
  assertEquals(listOf({}, "toString"), null);
});
