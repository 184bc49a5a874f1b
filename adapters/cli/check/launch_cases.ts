/**
 * Cases about which program is started, how, and under whose authority.
 *
 * @module
 */

import { SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "../../../core/sandbox/keys.ts";
import type { Bench } from "./bench.ts";
import type { CallOutcome } from "./call.ts";
import { decoyName } from "./decoys.ts";
import { respell } from "./states.ts";
import { compareState, nearestState, stateIn, vectorFlaw } from "./vector.ts";
import { type CheckCase, codexLaunches, failed, ok, ranNothing, skipped, type Verdict } from "./verdict.ts";

/** Milliseconds for a start behind the answer, where none is missed. */
const SOON_MS = 300;

/** The cases. */
export const LAUNCH_CASES: readonly CheckCase[] = [
  { id: "either-name", run: acceptsEitherName },
  { id: "current-name-first", run: forwardsCurrentName },
  { id: "no-path-search", run: searchesNoPath },
  { id: "fixed-vector", run: keepsVector },
  { id: "second-call", run: usesSecondAuthority },
];

async function acceptsEitherName(bench: Bench): Promise<Verdict> {
  const { launcher, states: { usual } } = bench;
  for (
    const [name, meta] of [
      [`under ${SANDBOX_STATE_KEY} alone`, { state: usual, launcher }],
      [`under the deprecated ${SANDBOX_STATE_META_KEY} alone`, { alias: usual, launcher }],
      ["under both names", { state: usual, alias: usual, launcher }],
    ] as const
  ) {
    const outcome = await bench.call(meta);
    if (codexLaunches(outcome).length === 0) {
      return failed(
        `with the state ${name}, ${ranNothing(outcome)}`,
        `read ${SANDBOX_STATE_KEY}, and ${SANDBOX_STATE_META_KEY} when that is absent`,
      );
    }
  }
  return ok("the state is taken under the current name, the deprecated one, and both");
}

async function forwardsCurrentName(bench: Bench): Promise<Verdict> {
  const { launcher, states: { usual, other } } = bench;
  const [one, two] = respell(usual);
  const [three, four] = respell(other);
  for (const [state, alias] of [[one, two], [four, three]] as const) {
    const outcome = await bench.call({ state, alias, launcher }, bench.chosen, { lateMs: SOON_MS });
    const launch = codexLaunches(outcome).at(0);
    if (launch === undefined) {
      return skipped(`two spellings of one state are not taken: ${ranNothing(outcome)}`);
    }
    const arrived = stateIn(launch.args);
    if (isSpelledAs(arrived, state)) continue;
    if (!isSpelledAs(arrived, alias)) {
      return skipped("neither spelling arrives: see fixed-vector, exact-text");
    }
    return failed(
      `with two spellings of one state, that of the deprecated ${SANDBOX_STATE_META_KEY} arrived`,
      `compare the two, and forward the text under ${SANDBOX_STATE_KEY}`,
    );
  }
  return ok(`with two spellings of one state, that under ${SANDBOX_STATE_KEY} arrives`);
}

/** Whether it is that text, or was parsed from it and written anew. */
function isSpelledAs(arrived: string | undefined, text: string): boolean {
  return arrived === text || arrived === JSON.stringify(JSON.parse(text));
}

async function searchesNoPath(bench: Bench): Promise<Verdict> {
  const { launcher, states: { usual } } = bench;
  const fix = "start the codexExecutable of the call and nothing else: no PATH, no other place, no default";
  const decoyIn = ({ launches }: CallOutcome): string | undefined => launches.map(decoyName).find(Boolean);
  const beside = decoyIn(await bench.call({ state: usual, alias: usual, launcher }));
  if (beside !== undefined) {
    return failed(`it started ${beside}, although the call named another launcher`, fix);
  }
  const instead = decoyIn(await bench.call({ state: usual, alias: usual }));
  return instead === undefined
    ? ok("a codex on PATH, in CODEX_HOME, in the workspace or in an environment variable is never started")
    : failed(`without a launcher, it started ${instead}`, fix);
}

async function keepsVector(bench: Bench): Promise<Verdict> {
  const { shell } = bench.states;
  const fix =
    "start the launcher without a shell, with the arguments sandbox --sandbox-state-json <state> -- " +
    "<command…>, the state as one of them; the operator's --sandbox-state-… modifiers stand before --";
  const outcome = await bench.call(bench.full(shell));
  const launch = codexLaunches(outcome).at(0);
  if (launch === undefined) {
    return failed(
      `with a state that holds quotes, $ and spaces, ${ranNothing(outcome)}`,
      `${fix}. Such a state comes apart in a shell`,
    );
  }
  const flaw = vectorFlaw(launch.args);
  if (flaw !== undefined) return failed(`with a state that holds quotes, $ and spaces, ${flaw}`, fix);
  const comparison = compareState(shell, stateIn(launch.args));
  const mangled = comparison.kind === "changed" &&
    comparison.places.some((place) => place.startsWith("/permissionProfile/file_system/entries/"));
  return mangled
    ? failed("a state that holds quotes, $ and spaces arrived as another: a shell has read it", fix)
    : ok("sandbox --sandbox-state-json <state> … -- <command>, the state as one argument, no shell");
}

async function usesSecondAuthority(bench: Bench): Promise<Verdict> {
  const { states: { usual, other } } = bench;
  const second = await bench.recorder.place("second", { path: "second/codex" });
  await bench.call(bench.full(usual));
  for (const launcher of [bench.launcher, second]) {
    const outcome = await bench.call({ state: other, alias: other, launcher });
    const launch = codexLaunches(outcome).at(0);
    const fix = "take state and launcher from each call anew, and keep neither for the next";
    if (launch === undefined) return failed(`a second call with another state: ${ranNothing(outcome)}`, fix);
    if (nearestState(stateIn(launch.args), { usual, other }) === "usual") {
      return failed("a second call with another state ran under the state of the FIRST call", fix);
    }
    if (launch.by === "launcher" && launcher === second) {
      return failed("a call with another launcher ran through the launcher of an EARLIER call", fix);
    }
  }
  return ok("a second call with another state and launcher runs under those");
}
