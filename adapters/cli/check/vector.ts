/**
 * How a launcher was started, against the one argument vector of the contract:
 * `sandbox --sandbox-state-json <state> …modifiers -- <command…>`.
 *
 * @module
 */

import { jsonChanges } from "../../../core/json/changes.ts";
import { equalJsonTexts, parseComparable } from "../../../core/json/comparable.ts";
import type { JsonValue } from "../../../core/json/value.ts";

const FLAG = "--sandbox-state-json";

/** What is wrong with an argument vector, as the end of a sentence; `undefined` when nothing is. */
export function vectorFlaw(args: readonly string[]): string | undefined {
  const [first, flag, state] = args;
  if (first !== "sandbox") return `the first argument is ${show(first)}, not "sandbox"`;
  if (flag !== FLAG) return `the second argument is ${show(flag)}, not "${FLAG}"`;
  if (state === undefined || parsed(state) === undefined) {
    return `the argument after ${FLAG} is not the state: ${show(state)}`;
  }
  let at = 3;
  for (; at < args.length && args[at] !== "--"; at++) {
    if (args[at] === "--sandbox-state-disable-network") continue;
    if (args[at] !== "--sandbox-state-readable-root") {
      return `${show(args[at])} stands between the state and "--"`;
    }
    at++;
  }
  if (at >= args.length) return 'there is no "--" before the command';
  return at + 1 < args.length ? undefined : 'there is no command after "--"';
}

/** The state that a launcher was given, whatever else is wrong; `undefined` when there is none. */
export function stateIn(args: readonly string[]): string | undefined {
  const at = args.indexOf(FLAG);
  if (at >= 0) return args[at + 1];
  return args.find((arg) => arg.startsWith(`${FLAG}=`))?.slice(FLAG.length + 1);
}

/** The command that a launcher was given; empty when there is none. */
export function commandIn(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--");
  return at < 0 ? [] : args.slice(at + 1);
}

/** Which of some states `text` comes from: the one with the fewest differences; `undefined` when it is no JSON. */
export function nearestState<Name extends string>(
  text: string | undefined,
  states: Readonly<Record<Name, string>>,
): Name | undefined {
  const value = text === undefined ? undefined : parsed(text);
  if (value === undefined) return undefined;
  const names = Object.keys(states) as Name[];
  const distance = (name: Name): number => jsonChanges(parseComparable(states[name]), value).length;
  return names.sort((a, b) => distance(a) - distance(b))[0];
}

/** How a state that arrived compares with the one that was sent. */
export type StateComparison =
  | { readonly kind: "identical" }
  /** The same JSON value in other letters. */
  | { readonly kind: "rewritten" }
  /** Another value; JSON Pointers of the differences. */
  | { readonly kind: "changed"; readonly places: readonly string[] }
  /** No JSON, or one with a key twice. */
  | { readonly kind: "broken" };

/** Compares the text that arrived with the one that was sent. */
export function compareState(sent: string, arrived: string | undefined): StateComparison {
  if (arrived === sent) return { kind: "identical" };
  const value = arrived === undefined ? undefined : parsed(arrived);
  if (arrived === undefined || value === undefined) return { kind: "broken" };
  if (equalJsonTexts(sent, arrived)) return { kind: "rewritten" };
  return { kind: "changed", places: jsonChanges(parseComparable(sent), value) };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseComparable(text);
  } catch {
    return undefined;
  }
}

function show(text: string | undefined): string {
  return text === undefined ? "missing" : JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
