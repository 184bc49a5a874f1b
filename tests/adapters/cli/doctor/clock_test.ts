import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkClock } from "../../../../adapters/cli/doctor/clock.ts";

function look(offsets: Readonly<Record<string, number>>, answered: readonly string[] = Object.keys(offsets)) {
  const [finding, ...more] = checkClock({
    offsets: () => new Map(Object.entries(offsets)),
    answered: () => new Set(answered),
  });
  assertEquals(more, []);
  return finding;
}

test("clocks may be a minute apart, and the worst is told", () => {
  assertEquals(look({ "a": 0.4, "b:1": -60.2 }), {
    id: "clock",
    status: "ok",
    found: "the clock of this machine and of 2 servers agree within 60 s",
  });
  const late = look({ "a": 0.4, "b:1": -90 });
  assertEquals([late?.status, late?.found.startsWith("the clock of b:1 is 90 s behind")], ["failed", true]);
  assertEquals(look({ a: 61 })?.found.startsWith("the clock of a is 61 s ahead of"), true);
  assertEquals(typeof look({ a: 61 })?.fix, "string");
});

test("without a date nothing is known, and without an answer nothing is said", () => {
  assertEquals(look({}, ["a"])?.status, "skipped");
  assertEquals(look({}), undefined);
});
