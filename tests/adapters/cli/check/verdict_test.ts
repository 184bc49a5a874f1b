import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import type { CallOutcome } from "../../../../adapters/cli/check/call.ts";
import type { Launch } from "../../../../adapters/cli/check/recorder.ts";
import { codexLaunches, ranAnyway, ranNothing } from "../../../../adapters/cli/check/verdict.ts";
import { LIMIT, withBench } from "./faulty.ts";

const REFUSED: CallOutcome = {
  launches: [],
  marked: false,
  refused: true,
  reply: { error: {} },
  said: '"no"',
};

test("only a refusal without any trace counts as one", LIMIT, async () => {
  await withBench("correct", (bench) => {
    const launch = (by: string, state = "usual"): Launch => ({
      by,
      directory: "/",
      args: [
        "sandbox",
        "--sandbox-state-json",
        state === "forged" ? bench.states.forged : bench.states.usual,
      ],
    });
    const ran = (changes: Partial<CallOutcome>): string =>
      ranAnyway(bench, { ...REFUSED, ...changes }) ?? "nothing";
    assertEquals(ran({}), "nothing");
    assertMatch(ran({ refused: false }), /answered as if the command had run, and without an error: "no"/);
    assertMatch(ran({ marked: true }), /WITHOUT a sandbox/);
    assertMatch(ran({ launches: [launch("command")] }), /WITHOUT a sandbox/);
    assertMatch(ran({ launches: [launch("command"), launch("launcher")] }), /through the launcher$/);
    assertMatch(ran({ launches: [launch("decoy")] }), /through the codex that lies first on PATH$/);
    assertMatch(
      ran({ launches: [launch("forged", "forged")] }),
      /launcher of its arguments under the state of its/,
    );
    assertMatch(ran({ launches: [launch("batch")] }), /through the batch launcher$/);
    return Promise.resolve();
  });
});

test("the command itself is no codex, and what started nothing says why", () => {
  const launches = ["command", "decoy"].map((by) => ({ by, directory: "/", args: [] }));
  assertEquals(codexLaunches({ launches }).map(({ by }) => by), ["decoy"]);
  assertEquals(ranNothing(REFUSED), 'the call was refused: "no"');
  assertEquals(
    ranNothing({ ...REFUSED, refused: false }),
    'no launcher was started, and the answer is "no"',
  );
});
