/**
 * What a case concludes, and the conclusions that several cases share: that nothing may have run, and under what
 * something did.
 *
 * @module
 */

import type { Finding } from "../doctor/finding.ts";
import type { Bench } from "./bench.ts";
import type { CallOutcome } from "./call.ts";
import { decoyName } from "./decoys.ts";
import type { Launch } from "./recorder.ts";
import { nearestState, stateIn } from "./vector.ts";

/** A finding without the name of its case. */
export type Verdict = Omit<Finding, "id">;

/** A case: one promise of the contract. */
export interface CheckCase {
  /** Its stable name. */
  readonly id: string;
  /** Tries it on a server that was started for it. */
  readonly run: (bench: Bench) => Promise<Verdict>;
}

/** It holds. */
export function ok(found: string): Verdict {
  return { status: "ok", found };
}

/** It does not hold. */
export function failed(found: string, fix: string): Verdict {
  return { status: "failed", found, fix };
}

/** It could not be looked at. */
export function skipped(found: string): Verdict {
  return { status: "skipped", found };
}

/** Starts of a `codex`, whichever; without those of the command itself. */
export function codexLaunches({ launches }: Pick<CallOutcome, "launches">): readonly Launch[] {
  return launches.filter(({ by }) => by !== "command");
}

/**
 * What happened although a call had to be refused, as the end of a sentence; `undefined` when it was refused and
 * nothing ran.
 */
export function ranAnyway(bench: Bench, outcome: CallOutcome): string | undefined {
  const launch = codexLaunches(outcome).at(0);
  if (launch !== undefined) return `it ran the command through ${describeLaunch(bench, launch)}`;
  if (outcome.marked || outcome.launches.length > 0) return "it ran the command WITHOUT a sandbox";
  if (outcome.refused) return undefined;
  return `it answered as if the command had run, and without an error: ${outcome.said}`;
}

/** A positive call that started nothing, as the end of a sentence. */
export function ranNothing({ refused, said }: CallOutcome): string {
  return refused ? `the call was refused: ${said}` : `no launcher was started, and the answer is ${said}`;
}

/** Which `codex` was started, and under which of the states. */
function describeLaunch(bench: Bench, launch: Launch): string {
  const { by, args } = launch;
  const state = nearestState(stateIn(args), bench.states);
  const names: Readonly<Record<string, string>> = {
    launcher: "the launcher",
    forged: "the launcher of its arguments",
  };
  const under = state === "forged" ? " under the state of its arguments" : "";
  return `${decoyName(launch) ?? names[by] ?? `the ${by} launcher`}${under}`;
}
