import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { FAILURE_CASE } from "../../../../adapters/cli/check/failure_case.ts";
import { LIMIT, verdictOn } from "./faulty.ts";

const verdict = (name: string): ReturnType<typeof verdictOn> =>
  verdictOn(name, [FAILURE_CASE], FAILURE_CASE.id);

test("a server that says how its launcher ended passes", LIMIT, async () => {
  const { status, found, fix } = await verdict("correct");
  assertEquals([status, fix, found.includes("\n")], ["ok", undefined, false]);
});

test("what is done in place of a launcher that failed is told apart", LIMIT, async () => {
  assertMatch((await verdict("setup_fallback")).found, /WITHOUT a sandbox/);
  assertMatch(
    (await verdict("landlock_retry")).found,
    /exits with 127, it started codex again, with ANOTHER state$/,
  );
  assertMatch((await verdict("failure_hidden")).found, /without an error: "exit 0"/);
});
