import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { LAUNCH_CASES } from "../../../../adapters/cli/check/launch_cases.ts";
import { LIMIT, verdictOn } from "./faulty.ts";

test("a server without faults passes each, and says so in one sentence", LIMIT, async () => {
  for (const { id } of LAUNCH_CASES) {
    const { status, found, fix } = await verdictOn("correct", LAUNCH_CASES, id);
    assertEquals([id, status, fix, found.includes("\n")], [id, "ok", undefined, false]);
  }
});

test("a fault is found by the case that is for it", LIMIT, async () => {
  assertEquals((await verdictOn("path_lookup", LAUNCH_CASES, "no-path-search")).status, "failed");
});
