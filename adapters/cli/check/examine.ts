/**
 * The check as a whole: which cases there are, what depends on what, and a fresh server for each.
 *
 * @module
 */

import type { Finding } from "../doctor/finding.ts";
import { UsageError } from "../program/exit_code.ts";
import { Bench, type BenchOptions } from "./bench.ts";
import type { Era } from "./era.ts";
import { FAILURE_CASE } from "./failure_case.ts";
import { LAUNCH_CASES } from "./launch_cases.ts";
import { checkAdvertised, checkLaunches } from "./opening_cases.ts";
import type { CheckPlan } from "./plan.ts";
import { REFUSAL_CASES } from "./refusal_cases.ts";
import { checkLongLived } from "./session_case.ts";
import { checkExactness, type Exactness, STATE_CASES } from "./state_cases.ts";
import { commandIn } from "./vector.ts";
import { codexLaunches, failed, ok, ranAnyway, skipped, type Verdict } from "./verdict.ts";

/** Told of each finding as it comes. */
export type Say = (finding: Finding) => void;

const SINGLE_CASES = [...LAUNCH_CASES, FAILURE_CASE, ...REFUSAL_CASES, ...STATE_CASES];

/** Names of all cases, in the order in which they are told. */
export const CASE_IDS: readonly string[] = [
  "starts",
  "advertises",
  "launches",
  ...SINGLE_CASES.map(({ id }) => id),
  "exact-numbers",
  "exact-text",
  "both-eras",
  "long-lived",
];

/** Checks a server. Rejects with a `UsageError` when the plan does not fit it, and with the reason of its signal. */
export async function examine(plan: CheckPlan, say: Say): Promise<void> {
  const options = await examineOpening(plan, say);
  if (options === undefined) return;
  const broken = new Set<string>();
  for (const { id, run } of SINGLE_CASES) {
    const verdict = await onBench(plan, options, run);
    if (verdict.status === "failed") broken.add(id);
    say({ id, ...verdict });
  }
  const { numbers, text } = await examineExactness(plan, options, broken);
  say({ id: "exact-numbers", ...numbers });
  say({ id: "exact-text", ...text });
  say({ id: "both-eras", ...await checkEras(plan, options) });
  const { session } = plan;
  say({
    id: "long-lived",
    ...session === undefined
      ? skipped("name what outlives a call with --session-start and --session-use, if there is such a thing")
      : await onBench(plan, options, (bench) => checkLongLived(bench, session)),
  });
}

/** The first three cases. Gives back how to open further benches; `undefined` when that makes no sense. */
async function examineOpening(plan: CheckPlan, say: Say): Promise<BenchOptions | undefined> {
  const skipRest = (from: string, why: string): void => {
    for (const id of CASE_IDS.slice(CASE_IDS.indexOf(from))) say({ id, ...skipped(why) });
  };
  let bench: Bench;
  try {
    bench = await openEither(plan);
  } catch (error) {
    plan.signal?.throwIfAborted();
    if (error instanceof UsageError) throw error;
    const fix =
      "see that the command starts a stdio MCP server, and nothing else writes to its standard output";
    say({ id: "starts", ...failed(messageOf(error), fix) });
    skipRest("advertises", "needs a server that starts");
    return undefined;
  }
  const { era } = bench.opened;
  let command: readonly string[] | undefined;
  let verdict: Verdict;
  try {
    const { tool, argumentsText } = bench.chosen;
    say({
      id: "starts",
      status: "ok",
      found: `it speaks MCP ${era}; ${tool.name} is called with ${argumentsText}`,
    });
    say({ id: "advertises", ...checkAdvertised(bench.opened) });
    const outcome = await bench.call(bench.full(bench.states.usual));
    verdict = checkLaunches(outcome);
    const launch = codexLaunches(outcome).at(0);
    command = launch && commandIn(launch.args);
  } catch (error) {
    plan.signal?.throwIfAborted();
    verdict = broken(error);
  } finally {
    await bench.close();
  }
  say({ id: "launches", ...verdict });
  if (verdict.status === "ok") return { era, command };
  skipRest("either-name", "needs a call that starts the launcher");
  return undefined;
}

/** Opens the server in the older era, which more servers speak, else in the newer one. */
async function openEither(plan: CheckPlan): Promise<Bench> {
  try {
    return await Bench.open(plan, { era: "2025-11-25" });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return await Bench.open(plan, { era: "2026-07-28" }).catch(() => Promise.reject(error));
  }
}

/** What is exact in a state stands in unknown fields, and in a state with spaces: both have to arrive. */
async function examineExactness(
  plan: CheckPlan,
  options: BenchOptions,
  broken: ReadonlySet<string>,
): Promise<Exactness> {
  const cause = ["fixed-vector", "unknown-fields"].find((id) => broken.has(id));
  if (cause !== undefined) {
    const verdict = skipped(`the state does not arrive as it is: see ${cause}`);
    return { numbers: verdict, text: verdict };
  }
  let text: Verdict = skipped("needs an answer");
  const numbers = await onBench(plan, options, async (bench) => {
    const exactness = await checkExactness(bench);
    text = exactness.text;
    return exactness.numbers;
  });
  return { numbers, text };
}

/** Whether the other era is spoken, and the contract kept in it. */
async function checkEras(plan: CheckPlan, options: BenchOptions): Promise<Verdict> {
  const era: Era = options.era === "2026-07-28" ? "2025-11-25" : "2026-07-28";
  let bench: Bench;
  try {
    bench = await Bench.open(plan, { ...options, era });
  } catch (error) {
    plan.signal?.throwIfAborted();
    return skipped(`it speaks MCP ${options.era} alone (${messageOf(error)})`);
  }
  const fix = "advertise in initialize and in server/discover, and read the _meta of each call in both";
  try {
    const advertised = checkAdvertised(bench.opened);
    if (advertised.status === "failed") return failed(`over MCP ${era}, ${advertised.found}`, fix);
    const launched = checkLaunches(await bench.call(bench.full(bench.states.usual)));
    if (launched.status === "failed") return failed(`over MCP ${era}, ${launched.found}`, fix);
    const ran = ranAnyway(bench, await bench.call({}));
    if (ran !== undefined) return failed(`over MCP ${era}, without any metadata, ${ran}`, fix);
    return ok(`it advertises, runs and refuses over MCP ${options.era} and ${era}`);
  } catch (error) {
    plan.signal?.throwIfAborted();
    return broken(error);
  } finally {
    await bench.close();
  }
}

/** Runs a case on a server of its own. What starts behind an answer fails it. */
async function onBench(
  plan: CheckPlan,
  options: BenchOptions,
  run: (bench: Bench) => Promise<Verdict>,
): Promise<Verdict> {
  let verdict: Verdict;
  let late = 0;
  try {
    const bench = await Bench.open(plan, options);
    try {
      verdict = await run(bench);
    } finally {
      late = (await bench.close()).length;
    }
  } catch (error) {
    plan.signal?.throwIfAborted();
    verdict = broken(error);
  }
  return verdict.status === "ok" && late > 0
    ? failed(
      "something was started after the call had been answered",
      "answer a call when its command is under way",
    )
    : verdict;
}

function broken(error: unknown): Verdict {
  return failed(messageOf(error), "answer every call, with a tool error where it is refused");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
