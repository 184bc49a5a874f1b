import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { isNoTable, rootFaults } from "../../../../core/configuration/layers/root_table.ts";
import { layer } from "../../enterprise/config/layers.ts";

test("isNoTable: a table, nothing at all, and everything else", () => {
  for (const values of [{}, { a: {} }, { a: { b: 1 } }, null, "x"]) {
    assertEquals(isNoTable(values, ["a"]), false);
  }
  for (const value of [null, "", 0, false, [], [{}], new Date(0), 5n]) {
    assertEquals(isNoTable({ a: value }, ["a"]), true, String(value));
  }
  assertEquals([isNoTable({ a: 5 }, ["a", "b"]), isNoTable({ a: { b: 5 } }, ["a", "b"])], [false, true]);
});

test("rootFaults: of host policy, the strongest layer first, and without the value", () => {
  const layers = (["user", "administrator", "project"] as const).map((kind) =>
    layer({ a: "s3cret", b: { c: "s3cret" } }, { kind })
  );
  const faults = rootFaults(layers, [["a"], ["b", "c"], ["b"], ["d"]]);
  assertEquals(faults.map(({ field, layer }) => [field, layer?.kind]), [
    ["a", "administrator"],
    ["b.c", "administrator"],
    ["a", "user"],
    ["b.c", "user"],
  ]);
  assertEquals(JSON.stringify(faults).includes("s3cret"), false);
  assertEquals(
    faults[0]?.message,
    'Cannot use a of administrator layer "administrator.toml": it must be a table. Nothing of it was read.',
  );
});
