import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { REFUSAL_CASES } from "../../../../adapters/cli/check/refusal_cases.ts";
import { LIMIT, verdictOn } from "./faulty.ts";

test("a server without faults passes each, and says so in one sentence", LIMIT, async () => {
  for (const { id } of REFUSAL_CASES) {
    const { status, found, fix } = await verdictOn("correct", REFUSAL_CASES, id);
    assertEquals([id, status, fix, found.includes("\n")], [id, "ok", undefined, false]);
  }
});

test("a fault is found by the case that is for it", LIMIT, async () => {
  assertEquals((await verdictOn("conflict_ignored", REFUSAL_CASES, "refuses-conflict")).status, "failed");
});
