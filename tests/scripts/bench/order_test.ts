import { assert, assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { HELP, OrderError, readOrder } from "../../../scripts/bench/order.ts";
import { GROUPS, PARTS } from "../../../scripts/bench/part.ts";

test("without words every part is measured, and a table printed", () => {
  assertEquals(readOrder([]), { parts: Object.keys(PARTS), quick: false, json: false });
});

test("parts are named one by one or by group, and keep the order of the table", () => {
  assertEquals(readOrder(["--only", "sizes", "--only", "cold"])?.parts, ["cold", "sizes"]);
  assertEquals(readOrder(["--only", "enterprise"])?.parts, ["cold", "warm", "rush", "memory"]);
  for (const [group, parts] of Object.entries(GROUPS)) {
    assert(!Object.hasOwn(PARTS, group) && parts.every((part) => Object.hasOwn(PARTS, part)), group);
  }
});

test("JSON is printed, written, or both", () => {
  assertEquals(readOrder(["--json", "--quick"]), { parts: Object.keys(PARTS), quick: true, json: true });
  assertEquals(readOrder(["--output", "bench.json"])?.output, "bench.json");
});

test("what is not understood is refused, and not left out", () => {
  for (const args of [["--only", "nothing"], ["--onyl", "cold"], ["cold"], ["--output", ""]]) {
    assertThrows(() => readOrder(args), OrderError);
  }
});

test("help names every part", () => {
  assertEquals(readOrder(["--help"]), null);
  for (const name of [...Object.keys(PARTS), ...Object.keys(GROUPS)]) assert(HELP.includes(name), name);
});
