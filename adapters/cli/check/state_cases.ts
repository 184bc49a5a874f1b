/**
 * Cases about the state on its way: nothing of it may be edited, dropped or rounded.
 *
 * @module
 */

import { cutJson } from "../../../core/json/scan.ts";
import { isJsonObject, ownProperty } from "../../../core/json/value.ts";
import type { Bench } from "./bench.ts";
import type { CallOutcome } from "./call.ts";
import type { ChosenCall } from "./plan.ts";
import { ADDED, EXACT_VALUES, withExact } from "./states.ts";
import { compareState, stateIn } from "./vector.ts";
import { type CheckCase, codexLaunches, failed, ok, ranNothing, skipped, type Verdict } from "./verdict.ts";

/** The cases that stand by themselves. */
export const STATE_CASES: readonly CheckCase[] = [
  { id: "state-unedited", run: leavesUnedited },
  { id: "unknown-fields", run: keepsUnknownFields },
];

const WHOLE = "pass the state on whole: no type of its own, no field read, set or left out";

/** Arguments that name a directory, which must not become the policy's. */
const DIRECTORY = /^(cwd|(work(ing)?_?)?dir(ectory)?|root)$/i;

async function leavesUnedited(bench: Bench): Promise<Verdict> {
  const { usual, other, bare, legacy } = bench.states;
  for (
    const [which, state, call] of [
      ["", usual, withDirectory(bench)],
      [" of a writable workspace", other, bench.chosen],
      [" without a Linux sandbox executable", bare, bench.chosen],
      [" of the legacy sandbox", legacy, bench.chosen],
    ] as const
  ) {
    const outcome = await bench.call(bench.full(state), call);
    const launch = codexLaunches(outcome).at(0);
    if (launch === undefined) return failed(`with a state${which}, ${ranNothing(outcome)}`, WHOLE);
    const arrived = stateIn(launch.args);
    if (state !== usual && ["identical", "rewritten"].includes(compareState(usual, arrived).kind)) {
      return skipped("the state of an earlier call arrives: see second-call");
    }
    const comparison = compareState(state, arrived);
    if (comparison.kind === "broken") return failed(`the state${which} does not arrive as JSON`, WHOLE);
    if (comparison.kind === "changed") {
      return failed(
        `the state${which} arrives EDITED at ${list(comparison.places)}`,
        `${WHOLE}. A directory of the tool belongs into the command, not into the policy`,
      );
    }
  }
  return ok("states of today's shape arrive with nothing edited, null and both kinds of sandbox included");
}

async function keepsUnknownFields(bench: Bench): Promise<Verdict> {
  const { unknown } = bench.states;
  const outcome = await bench.call(bench.full(unknown));
  const launch = codexLaunches(outcome).at(0);
  if (launch === undefined) {
    return failed(`with a field that a later release may add, ${ranNothing(outcome)}`, WHOLE);
  }
  const arrived = stateIn(launch.args);
  const comparison = compareState(unknown, arrived);
  const lost = comparison.kind === "broken" ||
    comparison.kind === "changed" && comparison.places.some((place) => place.startsWith(`/${ADDED}`));
  if (!lost) return ok("fields that a later release may add arrive");
  return failed("a field that a later release may add is DROPPED or changed on the way", WHOLE);
}

/** The two findings about exactness: of the value, and of the text. */
export interface Exactness {
  /** Whether every value means what it meant. */
  readonly numbers: Verdict;
  /** Whether every byte is what it was. */
  readonly text: Verdict;
}

const CUT =
  "forward the source text of the state, cut from the line that arrived, not a parsed and written copy";

const KEPT = "64-bit integers, 1e400, -0, 1.0 and keys of all kinds keep their value";

/** Whether what JSON can say and programs lose arrives. */
export async function checkExactness(bench: Bench): Promise<Exactness> {
  const { exact } = bench.states;
  const outcome = await bench.call(bench.full(exact));
  const launch = codexLaunches(outcome).at(0);
  if (launch === undefined) {
    return {
      numbers: failed(`nothing ran, so nothing was rounded: ${await refusedValues(bench, outcome)}`, CUT),
      text: skipped("the state was refused"),
    };
  }
  const arrived = stateIn(launch.args) ?? "";
  const comparison = compareState(exact, arrived);
  if (comparison.kind === "identical") {
    return {
      numbers: ok(KEPT),
      text: ok("the state arrives byte for byte"),
    };
  }
  if (comparison.kind === "rewritten") {
    // a negative zero is the same number and another value, for whoever has floating-point numbers
    const lost = changedValues(arrived);
    return {
      numbers: lost.length === 0 ? ok(KEPT) : failed(`value CHANGED: ${lost.join(", ")}`, CUT),
      text: failed("value preserved, but text changed: the state was parsed and written anew", CUT),
    };
  }
  const changed = changedValues(arrived);
  return changed.length === 0
    ? { numbers: ok(KEPT), text: skipped("the state is edited in another place: see state-unedited") }
    : {
      numbers: failed(`value CHANGED: ${changed.join(", ")}`, CUT),
      text: skipped("the value itself changed"),
    };
}

/** Which values arrived otherwise, each with what it became. */
function changedValues(arrived: string): readonly string[] {
  let texts: readonly (string | undefined)[];
  try {
    texts = cutJson(arrived, EXACT_VALUES.map(([name]) => [ADDED, name]));
  } catch {
    return ["what arrived is not JSON"];
  }
  return EXACT_VALUES.flatMap(([name, sent, what], index) => {
    const got = texts[index];
    const same = got !== undefined && compareState(sent, got).kind !== "changed" &&
      compareState(sent, got).kind !== "broken" && (name !== "negativeZero" || got.startsWith("-"));
    return same ? [] : [`${what} ${got === undefined ? "is gone" : `became ${got.slice(0, 40)}`}`];
  });
}

/** Which values make the server refuse, tried one by one. */
async function refusedValues(bench: Bench, first: CallOutcome): Promise<string> {
  const refused: string[] = [];
  for (const value of EXACT_VALUES) {
    const outcome = await bench.call(bench.full(withExact(bench.states.usual, [value])));
    if (codexLaunches(outcome).length === 0) refused.push(value[2]);
  }
  const which = refused.length === 0
    ? "the state as a whole is refused"
    : `refused are ${refused.join(", ")}`;
  return `${which} (${first.said})`;
}

/** The usual arguments, and a directory wherever the tool takes one. */
function withDirectory({ chosen, recorder }: Bench): ChosenCall {
  const { tool, argumentsText } = chosen;
  const properties = ownProperty(tool.inputSchema, "properties");
  const given: unknown = JSON.parse(argumentsText);
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const added = names.filter((name) =>
    DIRECTORY.test(name) && ownProperty(given, name) === undefined &&
    ownProperty(ownProperty(properties, name), "type") === "string"
  ).map((name) => `${JSON.stringify(name)}:${JSON.stringify(`${recorder.folder}/elsewhere`)}`);
  const inner = argumentsText.trim().slice(1, -1).trim();
  return { tool, argumentsText: `{${[...(inner === "" ? [] : [inner]), ...added].join(",")}}` };
}

function list(places: readonly string[]): string {
  return places.length > 3
    ? `${places.slice(0, 3).join(", ")} and ${places.length - 3} more`
    : places.join(", ");
}
