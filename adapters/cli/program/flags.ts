/**
 * Flags: reading what a person typed into what a command expects, with an error that says what to type.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { shown } from "../terminal/shown.ts";
import { UsageError } from "./exit_code.ts";

/** The flags that a command knows, by kind. */
export interface FlagNames {
  /** Flags that stand alone. */
  readonly switches?: readonly string[];
  /** Flags with one value; the last one counts. */
  readonly values?: readonly string[];
  /** Flags that may be given several times. */
  readonly lists?: readonly string[];
}

/** What was typed. */
export interface Flags {
  /** Whether the switch was given. */
  has(name: string): boolean;
  /** Value of a flag, `undefined` when it was not given. */
  value(name: string): string | undefined;
  /** Values of a flag that may be repeated. */
  list(name: string): readonly string[];
  /** A positive whole number, `undefined` when the flag was not given. Throws a `UsageError` for anything else. */
  count(name: string): number | undefined;
  /** A positive number of seconds as milliseconds, `undefined` when not given. Throws a `UsageError` otherwise. */
  milliseconds(name: string): number | undefined;
  /** What is no flag: the rest of the line from the first word that is none, or from after `--`. */
  readonly rest: readonly string[];
}

/** Reads `args`. Throws a `UsageError` for a flag that is not known or lacks its value. */
export function readFlags(args: readonly string[], names: FlagNames): Flags {
  const { switches = [], values = [], lists = [] } = names;
  const taking = [...values, ...lists];
  const [typed, rest] = split(args, taking);
  for (const [at, word] of typed.entries()) {
    const [, name = word.slice(2), given = typed[at + 1]] = /^--([^=]+)=(.*)$/s.exec(word) ?? [];
    // "--allow=no" must not come to mean "--allow"
    if (switches.includes(name) && word.includes("=")) throw new UsageError(`--${name} takes no value.`);
    if (taking.includes(name) && given === "") throw new UsageError(`--${name} needs a value.`);
  }
  const parsed: Readonly<Record<string, unknown>> = parseArgs(typed, {
    boolean: [...switches],
    string: taking,
    collect: [...lists],
    unknown: (argument) => {
      throw new UsageError(`There is no ${argument}.`);
    },
  });
  const value = (name: string): string | undefined => {
    const given = parsed[name];
    if (given === undefined) return undefined;
    if (typeof given !== "string" || given === "") throw new UsageError(`--${name} needs a value.`);
    return given;
  };
  const number = (name: string, what: string, isValid: (n: number) => boolean): number | undefined => {
    const given = value(name);
    if (given === undefined) return undefined;
    const parsedNumber = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
    if (!isValid(parsedNumber)) throw new UsageError(`--${name} takes ${what}.`);
    return parsedNumber;
  };
  for (const name of values) value(name);
  return {
    has: (name) => parsed[name] === true,
    value,
    list: (name) => {
      const given = (parsed[name] ?? []) as readonly string[];
      if (given.includes("")) throw new UsageError(`--${name} needs a value.`);
      return given;
    },
    count: (name) => number(name, "a positive whole number", (n) => Number.isSafeInteger(n) && n > 0),
    milliseconds: (name) => {
      const seconds = number(name, "a positive number of seconds", (n) => n > 0 && n < 2_000_000);
      return seconds === undefined ? undefined : Math.round(seconds * 1000);
    },
    rest,
  };
}

/** Throws a `UsageError` where `command` was given a word, which it takes none of; `more` is said behind it. */
export function requireFlagsAlone(command: string, { rest }: Pick<Flags, "rest">, more = ""): void {
  const [word] = rest;
  if (word === undefined) return;
  throw new UsageError(`${command} takes flags alone, and ${JSON.stringify(shown(word))} is none.${more}`);
}

/** Splits where the flags end: before the first word that is none, or around `--`. */
function split(args: readonly string[], taking: readonly string[]): readonly [string[], readonly string[]] {
  let at = 0;
  while (at < args.length && /^-./.test(args[at]!)) {
    if (args[at] === "--") return [args.slice(0, at), args.slice(at + 1)];
    at += taking.includes(args[at]!.slice(2)) ? 2 : 1;
  }
  return [args.slice(0, at), args.slice(at)];
}
