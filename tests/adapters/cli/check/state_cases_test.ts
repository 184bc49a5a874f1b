import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkExactness, STATE_CASES } from "../../../../adapters/cli/check/state_cases.ts";
import { LIMIT, verdictOn, withBench } from "./faulty.ts";

test("a server without faults passes each, and says so in one sentence", LIMIT, async () => {
  for (const { id } of STATE_CASES) {
    const { status, found, fix } = await verdictOn("correct", STATE_CASES, id);
    assertEquals([id, status, fix, found.includes("\n")], [id, "ok", undefined, false]);
  }
});

test("a fault is found by the case that is for it", LIMIT, async () => {
  assertEquals((await verdictOn("edited_directory", STATE_CASES, "state-unedited")).status, "failed");
});

test("exactness is told of the value and of the text", LIMIT, async () => {
  const both = async (name: string): Promise<unknown> => {
    const { numbers, text } = await withBench(name, checkExactness);
    return [numbers.status, text.status];
  };
  assertEquals(await both("correct"), ["ok", "ok"]);
  assertEquals(await both("respaced"), ["ok", "failed"]);
  assertEquals(await both("stringify"), ["failed", "skipped"]);
  assertEquals(await both("inexact_refused"), ["failed", "skipped"]);
  assertEquals(await both("edited_directory"), ["ok", "skipped"]);
});
