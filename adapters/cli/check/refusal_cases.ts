/**
 * Cases that must end in a refusal. What counts is what ran; an answer without an error counts as having run, since
 * a host shows it as success.
 *
 * @module
 */

import { join, relative } from "node:path";
import process from "node:process";
import {
  SANDBOX_LAUNCHER_KEY,
  SANDBOX_STATE_KEY,
  SANDBOX_STATE_META_KEY,
} from "../../../core/sandbox/keys.ts";
import type { Bench } from "./bench.ts";
import { type CallMeta, metaTexts } from "./call.ts";
import type { ChosenCall } from "./plan.ts";
import { nearestState, stateIn } from "./vector.ts";
import { type CheckCase, codexLaunches, failed, ok, ranAnyway, ranNothing, type Verdict } from "./verdict.ts";

/** The cases. */
export const REFUSAL_CASES: readonly CheckCase[] = [
  { id: "ignores-forged-arguments", run: ignoresForgedArguments },
  { id: "refuses-without-launcher", run: refusesWithoutLauncher },
  { id: "refuses-without-state", run: refusesWithoutState },
  { id: "refuses-conflict", run: refusesConflict },
  { id: "refuses-relative-launcher", run: refusesRelativeLauncher },
  { id: "refuses-batch-launcher", run: refusesBatchLauncher },
];

/** Milliseconds for a start behind an answer that is wrong already. */
const SOON_MS = 300;

/** A call that has to be refused, and how a sentence about it begins. */
interface Refusal {
  readonly when: string;
  readonly meta: CallMeta;
  readonly call?: ChosenCall;
}

/** Makes calls that must be refused; the first that is not ends it. */
async function refusesAll(
  bench: Bench,
  refusals: readonly Refusal[],
  { found, fix }: { readonly found: string; readonly fix: string },
): Promise<Verdict> {
  for (const { when, meta, call } of refusals) {
    const ran = ranAnyway(bench, await bench.call(meta, call, { lateMs: SOON_MS }));
    if (ran !== undefined) return failed(`${when}, ${ran}`, fix);
  }
  return ok(found);
}

async function ignoresForgedArguments(bench: Bench): Promise<Verdict> {
  const { chosen, states } = bench;
  const launcher = await bench.recorder.place("forged", { path: "forged/codex", recordsProbe: true });
  const forged = metaTexts({ state: states.forged, alias: states.forged, launcher });
  const inner = chosen.argumentsText.trim().slice(1, -1).trim();
  const members = [...(inner === "" ? [] : [inner]), ...forged, `"_meta":{${forged.join(",")}}`];
  const call = { tool: chosen.tool, argumentsText: `{${members.join(",")}}` };
  const fix = "take state and launcher from the request's _meta alone; a model writes the arguments";
  const refused = await refusesAll(bench, [
    { when: "with state and launcher in the arguments and none in _meta", meta: {}, call },
    {
      when: "with a launcher in the arguments and none in _meta",
      meta: { state: states.usual, alias: states.usual },
      call,
    },
  ], { found: "", fix });
  if (refused.status !== "ok") return refused;
  const outcome = await bench.call(bench.full(states.usual), call);
  const launch = codexLaunches(outcome).at(0);
  if (launch === undefined) {
    return outcome.refused
      ? ok("state and launcher in the arguments are refused, with and without real ones")
      : failed(`with forged arguments beside a real _meta, ${ranNothing(outcome)}`, fix);
  }
  const state = nearestState(stateIn(launch.args), states);
  return launch.by === "forged" || state === "forged"
    ? failed("with both, it took the authority of the arguments instead of that of _meta", fix)
    : ok("state and launcher in the arguments are ignored, with and without real ones");
}

async function refusesWithoutLauncher(bench: Bench): Promise<Verdict> {
  const { usual } = bench.states;
  const absent = join(bench.recorder.folder, "absent", "codex");
  return await refusesAll(bench, [
    { when: "without a launcher", meta: { state: usual, alias: usual } },
    { when: "with a launcher that does not exist", meta: { ...bench.full(usual), launcher: absent } },
  ], {
    found: "a state without a launcher, or with one that does not exist, is refused",
    fix:
      `refuse the call when ${SANDBOX_LAUNCHER_KEY} is missing or unusable; only the operator may allow anything else`,
  });
}

async function refusesWithoutState(bench: Bench): Promise<Verdict> {
  const { launcher, states } = bench;
  const fix = `refuse the call when its own _meta has no state, whatever came before it`;
  const first = await refusesAll(bench, [
    { when: "without any metadata", meta: {} },
    { when: "with a launcher and no state", meta: { launcher } },
  ], { found: "", fix });
  if (first.status !== "ok") return first;
  await bench.call(bench.full(states.usual));
  return await refusesAll(bench, [
    { when: "without any metadata, after a call that had it", meta: {} },
    { when: "with a launcher and no state, after a call that had one", meta: { launcher } },
  ], { found: "a call without a state is refused, also after one that had it", fix });
}

async function refusesConflict(bench: Bench): Promise<Verdict> {
  const { launcher, states: { usual, other, exact } } = bench;
  const rounded = exact.replace("9007199254740993", "9007199254740992");
  const when = `with different values under ${SANDBOX_STATE_KEY} and ${SANDBOX_STATE_META_KEY}`;
  return await refusesAll(bench, [
    { when, meta: { state: usual, alias: other, launcher } },
    { when, meta: { state: other, alias: usual, launcher } },
    {
      when: "with two states that differ in an integer beyond 2^53 alone",
      meta: { state: exact, alias: rounded, launcher },
    },
  ], {
    found: "two copies of the state that differ are refused",
    fix: "compare the two when both are there, numbers exactly, and refuse when they differ",
  });
}

async function refusesRelativeLauncher(bench: Bench): Promise<Verdict> {
  const path = await bench.recorder.place("relative", { path: "relative/codex", recordsProbe: true });
  const fromHere = relative(process.cwd(), path);
  return await refusesAll(
    bench,
    ["codex", fromHere.startsWith(".") ? fromHere : `./${fromHere}`].map((launcher) => ({
      when: `with the relative launcher ${JSON.stringify(launcher)}`,
      meta: { ...bench.full(bench.states.usual), launcher },
    })),
    { found: "a relative launcher is refused", fix: "refuse a codexExecutable that is not an absolute path" },
  );
}

async function refusesBatchLauncher(bench: Bench): Promise<Verdict> {
  const refusals: Refusal[] = [];
  for (const name of ["codex.cmd", "codex.BAT", "codex.ps1", "codex.cmd. "]) {
    const launcher = await bench.recorder.place("batch", { path: join("batch", name), recordsProbe: true });
    refusals.push({
      when: `with the launcher ${JSON.stringify(name)}`,
      meta: { ...bench.full(bench.states.usual), launcher },
    });
  }
  return await refusesAll(bench, refusals, {
    found: "batch files are refused as launchers",
    fix: "refuse a codexExecutable that ends in .cmd, .bat or .ps1, also with dots or spaces behind it: " +
      "they cannot take the state as one argument",
  });
}
