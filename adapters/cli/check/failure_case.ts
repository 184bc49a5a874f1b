/**
 * The case about a launcher that fails: a sandbox that cannot be set up looks like a command that failed. The one
 * answer is to say so. Nothing may be tried in its place.
 *
 * @module
 */

import { ownProperty } from "../../../core/json/value.ts";
import type { Bench } from "./bench.ts";
import type { CallOutcome } from "./call.ts";
import { decoyName } from "./decoys.ts";
import { stateIn } from "./vector.ts";
import { type CheckCase, codexLaunches, failed, ok, ranNothing, type Verdict } from "./verdict.ts";

/** The case. */
export const FAILURE_CASE: CheckCase = { id: "launcher-fails", run: leavesFailure };

/** How the names of the launchers that fail begin. */
const FAILING = "failing-";

const FIX =
  "report the exit status of the launcher, and do nothing else: no second start, with no other state, " +
  "and never the command by itself";

async function leavesFailure(bench: Bench): Promise<Verdict> {
  const { states: { usual, bare, other } } = bench;
  const fail = async (fails: number | "killed", state: string): Promise<CallOutcome> => {
    const by = `${FAILING}${fails}`;
    const launcher = await bench.recorder.place(by, { path: `${by}/codex`, fails });
    return await bench.call({ state, alias: state, launcher });
  };
  const first: readonly (readonly [string, CallOutcome])[] = [
    ["exits with 127", await fail(127, bare)],
    ["is killed", await fail("killed", other)],
  ];
  const success = await bench.call(bench.full(usual));
  // the last one, so that what comes behind its answer is found when the server is closed
  for (const [how, outcome] of [...first, ["exits with 1", await fail(1, usual)] as const]) {
    const wrong = wrongWith(outcome, success);
    if (wrong !== undefined) return failed(`when the launcher ${how}, ${wrong}`, FIX);
  }
  return ok("when the launcher fails, nothing else is started, and the answer is not that of a success");
}

/** What is wrong after the launcher has failed, as the end of a sentence. */
function wrongWith(outcome: CallOutcome, success: CallOutcome): string | undefined {
  const launches = codexLaunches(outcome);
  // another launcher than that of the call is what other cases are about
  if (launches.length > 0 && !launches.some(({ by }) => by.startsWith(FAILING))) return undefined;
  if (outcome.marked || outcome.launches.length > launches.length) {
    return "it ran the command WITHOUT a sandbox";
  }
  if (launches.length === 0) return outcome.refused ? undefined : ranNothing(outcome);
  if (launches.length > 1) {
    const decoy = launches.map(decoyName).find(Boolean);
    const states = new Set(launches.map(({ args }) => stateIn(args)));
    return `it started ${decoy ?? "codex"} again${states.size > 1 ? ", with ANOTHER state" : ""}`;
  }
  const succeeded = codexLaunches(success).every(({ by }) => !by.startsWith(FAILING));
  return !outcome.refused && succeeded && shown(outcome) === shown(success)
    ? `it answered as it does when the command ran, and without an error: ${outcome.said}`
    : undefined;
}

/** What a host shows of an answer: the structured content, else the text. */
function shown({ reply, said }: CallOutcome): string {
  const structured = ownProperty(reply.result, "structuredContent");
  return structured === undefined ? said : JSON.stringify(structured);
}
