/**
 * What the soak's figures have to say: each rule, whether it held, and the figures. Memory is judged by how it grew
 * between two moments of one run at which the host was in the same state, so that a slow or busy machine changes
 * nothing.
 *
 * @module
 */

import { FLEET } from "./fleet.ts";
import { mebibytes } from "./gauge.ts";
import type { Played } from "./play.ts";
import type { Register } from "./register.ts";

/** One rule. */
export interface Rule {
  readonly name: string;
  readonly held: boolean;
  readonly said: string;
}

const MIB = 1_048_576;

/** By how much the heap may grow: a share, and what one compilation or one full buffer makes. */
const HEAP = { share: 1.1, more: 3 * MIB };

/** The same of resident memory. V8 takes and gives back tens of MiB as it likes, which the median evens out in part. */
const RESIDENT = { share: 1.25, more: 96 * MIB };

/** Connections over HTTP that are kept for the next request; how many depends on how many went out at a time. */
const KEPT_SOCKETS = 24;

/** Servers that are processes, those included that are about to end. */
const STDIO = FLEET.filter(({ kind, trait }) => kind === "stdio" && trait !== "missing").length;

/** Judges. */
export function judge(
  { bare, full, resident, leftOfHost, left, cached }: Played,
  { register, seconds }: { readonly register: Register; readonly seconds: number },
): Rule[] {
  const { tally } = register;
  const count = (name: string): number => tally.get(name) ?? 0;
  const atLeast = (name: string, least: number): Rule => ({
    name: `at least ${least} times "${name}"`,
    held: count(name) >= least,
    said: `${count(name)}`,
  });
  const minutes = seconds / 60;
  const steady = FLEET.filter((server) => server.steady).map(({ name }) => count(`answered ${name}`));
  const silent = FLEET.filter(({ name, answers }) => answers && count(`answered ${name}`) === 0);
  return [
    { name: "no violation", held: register.violated === 0, said: `${register.violated}` },
    {
      name: "no rejection that nobody handled",
      held: count("unhandled") === 0,
      said: `${count("unhandled")}`,
    },
    { name: "no call is open", held: register.open.length === 0, said: `${register.open.length}` },
    { name: "no process of the host is left", held: leftOfHost === 0, said: `${leftOfHost}` },
    { name: "no process at all is left", held: left === 0, said: `${left}` },
    { name: "no enterprise tool in a catalog file", held: !cached, said: `${cached}` },
    grown("heap with nothing connected", bare.map(({ heap }) => heap), HEAP),
    grown("heap with everything connected", full.map(({ heap }) => heap), HEAP),
    grown("resident memory", resident, RESIDENT),
    flat("descriptors with nothing connected", bare.map((one) => one.descriptors), 2),
    flat("sockets with nothing connected", bare.map((one) => one.sockets), KEPT_SOCKETS),
    flat("children with nothing connected", bare.map((one) => one.children), 0),
    {
      name: "with everything connected there are the world, the watchdog, and the servers over stdio",
      held: full.every(({ children }) => children <= 2 + STDIO),
      said: full.map(({ children }) => children).join(" → "),
    },
    {
      name: "every server that answers has answered",
      held: silent.length === 0,
      said: silent.map(({ name }) => name).join(", "),
    },
    atLeast("results", Math.round(minutes * 60)),
    atLeast("answered notes", Math.round(minutes * 3)),
    atLeast("answered second", Math.round(minutes)),
    { name: "steady servers answer", held: Math.min(...steady) >= minutes * 5, said: steady.join(", ") },
    ...["accounts switched", "reauthorized", "turns changed", "given up", "reloads", "questions", "lists"]
      .map((name) => atLeast(name, Math.ceil(minutes))),
    ...["CALL_CANCELLED", "with launcher", "with state", "without state", "AUTHORITY_CHANGED"]
      .map((name) => atLeast(name, 1)),
  ];
}

function grown(name: string, [first = 0, last = 0]: readonly number[], limit: typeof HEAP): Rule {
  return {
    name: `${name} stays as it is`,
    held: last <= first * limit.share + limit.more,
    said: `${mebibytes(first)} → ${mebibytes(last)}`,
  };
}

function flat(name: string, [first = 0, last = 0]: readonly number[], more: number): Rule {
  return { name: `${name} stay as they are`, held: last <= first + more, said: `${first} → ${last}` };
}
