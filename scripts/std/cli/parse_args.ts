/**
 * Parses a command line into flags and positional arguments, with the rules of `@std/cli/parse-args`.
 * `_flag_types.ts` owns the type of the result.
 *
 * @module
 */

import type { Flags, Names } from "./_flag_types.ts";

/** Flags by name, the positional arguments under `_`, and with the option `"--"` what stood after it. */
export type Args<
  TArgs extends Record<string, unknown> = Record<string, unknown>,
  TDoubleDash extends boolean | undefined = undefined,
> =
  & TArgs
  & { _: (string | number)[] }
  & (true extends TDoubleDash ? { "--": string[] } : unknown);

/** What the parser is told about the flags. */
export interface ParseOptions<
  B extends boolean | Names = boolean | Names,
  S extends Names = Names,
  C extends Names = Names,
  N extends Names = Names,
  D extends Record<string, unknown> | undefined = Record<string, unknown> | undefined,
  A extends Record<string, string | readonly string[]> | undefined =
    | Record<string, string | readonly string[]>
    | undefined,
  DD extends boolean | undefined = boolean | undefined,
> {
  /** `true` collects what follows `--` under that name instead of under `_`. */
  "--"?: DD;
  /** Other names of a flag. */
  alias?: A;
  /** Flags without a value, `false` unless given. `true`: every `--flag` without `=`. */
  boolean?: B | readonly Extract<B, string>[];
  /** Values of flags that are not given. */
  default?: D;
  /** Everything after the first positional argument is positional. */
  stopEarly?: boolean;
  /** Flags whose value stays text. The name `_` keeps positional arguments text. */
  string?: S | readonly Extract<S, string>[];
  /** Flags that may be repeated: all values, in order. */
  collect?: C | readonly Extract<C, string>[];
  /** Flags that `--no-flag` sets to `false`. */
  negatable?: N | readonly Extract<N, string>[];
  /** Called with each argument that no option names; `false` leaves it out of the result. */
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

type Value = string | number | boolean;
interface Result {
  [key: string]: unknown;
  _: (string | number)[];
}
interface Rules {
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly boolean: ReadonlySet<string>;
  readonly string: ReadonlySet<string>;
  readonly collect: ReadonlySet<string>;
  readonly negatable: ReadonlySet<string>;
  readonly allBoolean: boolean;
  readonly unknown: (arg: string, key?: string, value?: unknown) => unknown;
}

/** Parses `args`. Numeric text becomes a number unless the flag is a `string` one. */
export function parseArgs<
  DD extends boolean | undefined = undefined,
  B extends boolean | Names = undefined,
  S extends Names = undefined,
  C extends Names = undefined,
  N extends Names = undefined,
  D extends Record<string, unknown> | undefined = undefined,
  const A extends Record<string, string | readonly string[]> | undefined = undefined,
>(args: string[], options: ParseOptions<B, S, C, N, D, A, DD> = {}): Args<Flags<B, S, C, N, D, A>, DD> {
  const rules = rulesOf(options);
  const result: Result = { _: [] };
  const dashes = args.indexOf("--");
  const parsed = dashes < 0 ? args : args.slice(0, dashes);
  const rest = dashes < 0 ? [] : args.slice(dashes + 1);
  let at = 0;
  while (at < parsed.length) {
    const arg = parsed[at] ?? "";
    if (arg.length > 1 && arg.startsWith("-")) {
      const used = arg.startsWith("--")
        ? longFlag(result, arg, { rules, next: parsed[at + 1] })
        : shortFlags(result, arg, { rules, next: parsed[at + 1] });
      at += used ? 2 : 1;
      continue;
    }
    at += 1;
    if (rules.unknown(arg) !== false) result._.push(rules.string.has("_") ? arg : numeric(arg));
    if (options.stopEarly) {
      result._.push(...parsed.slice(at));
      break;
    }
  }
  fillDefaults(result, options.default ?? {}, rules);
  if (options["--"]) result["--"] = rest;
  else result._.push(...rest);
  return result as Args<Flags<B, S, C, N, D, A>, DD>;
}

function rulesOf(options: ParseOptions): Rules {
  const aliases = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(options.alias ?? {})) {
    const group = [key, ...(typeof value === "string" ? [value] : value)];
    for (const name of group) aliases.set(name, group.filter((other) => other !== name));
  }
  const names = (given: unknown): ReadonlySet<string> => {
    const list = (Array.isArray(given) ? given : [given]).filter((n) =>
      typeof n === "string" && n !== ""
    ) as string[];
    return new Set(list.flatMap((name) => [name, ...(aliases.get(name) ?? [])]));
  };
  return {
    aliases,
    boolean: names(options.boolean),
    string: names(options.string),
    collect: names(options.collect),
    negatable: names(options.negatable),
    allBoolean: options.boolean === true,
    unknown: options.unknown ?? ((arg) => arg),
  };
}

interface Place {
  readonly rules: Rules;
  readonly next: string | undefined;
}

/** Reads one `--flag`; returns whether it took the next argument as its value. */
function longFlag(result: Result, arg: string, { rules, next }: Place): boolean {
  const body = arg.slice(2);
  const equals = body.indexOf("=", 1);
  if (equals > 0 && equals < body.length - 1 && !(body.startsWith("no-") && equals === 3)) {
    const negated = body.startsWith("no-");
    const key = negated ? body.slice(3, equals) : body.slice(0, equals);
    const value = body.slice(equals + 1);
    put(result, key, { rules, arg, value: rules.boolean.has(key) ? value !== "false" : value });
    return false;
  }
  if (body.length > 3 && body.startsWith("no-") && rules.negatable.has(body.slice(3))) {
    put(result, body.slice(3), { rules, arg, value: false, single: true });
    return false;
  }
  if (next && !takesNoValue(body, rules) && !rules.allBoolean && !next.startsWith("-")) {
    put(result, body, { rules, arg, value: next });
    return true;
  }
  if (next === "true" || next === "false") {
    put(result, body, { rules, arg, value: next === "true" });
    return true;
  }
  put(result, body, { rules, arg, value: rules.string.has(body) ? "" : true });
  return false;
}

/** Reads `-abc`; returns whether the last letter took the next argument as its value. */
function shortFlags(result: Result, arg: string, { rules, next }: Place): boolean {
  const letters = [...arg.slice(1, -1)];
  for (const [index, letter] of letters.entries()) {
    const tail = arg.slice(index + 2);
    const inline = inlineValue(letter, tail, letters[index + 1]);
    const value = tail === "-" ? tail : inline ?? (rules.string.has(letter) ? "" : true);
    put(result, letter, { rules, arg, value });
    if (tail !== "-" && inline !== undefined) return false;
  }
  const last = arg.slice(-1);
  if (last === "-") return false;
  if (next && !/^--?[^-]/.test(next) && !takesNoValue(last, rules)) {
    put(result, last, { rules, arg, value: next });
    return true;
  }
  if (next === "true" || next === "false") {
    put(result, last, { rules, arg, value: next === "true" });
    return true;
  }
  put(result, last, { rules, arg, value: rules.string.has(last) ? "" : true });
  return false;
}

/** The value that is glued to a letter: `-n5`, `-n=x`, `-I/path`. */
function inlineValue(letter: string, tail: string, following: string | undefined): string | undefined {
  if (/[A-Za-z]/.test(letter)) {
    const equals = tail.indexOf("=");
    if (equals >= 0 && equals < tail.length - 1) return tail.slice(equals + 1);
    if (/-?\d+(\.\d*)?(e-?\d+)?$/.test(tail)) return tail;
  }
  return following !== undefined && /\W/.test(following) ? tail : undefined;
}

function takesNoValue(key: string, rules: Rules): boolean {
  return rules.boolean.has(key) || (rules.aliases.get(key) ?? []).some((name) => rules.boolean.has(name));
}

interface Found {
  readonly rules: Rules;
  readonly arg: string;
  readonly value: Value;
  /** Replaces what was collected. */
  readonly single?: true;
}

function put(result: Result, key: string, { rules, arg, value, single }: Found): void {
  const known = rules.boolean.has(key) || rules.string.has(key) || rules.aliases.has(key) ||
    rules.collect.has(key) || (rules.allBoolean && /^--[^=]+$/.test(arg));
  if (!known && rules.unknown(arg, key, value) === false) return;
  const stored = typeof value === "string" && !rules.string.has(key) ? numeric(value) : value;
  const collect = single === undefined && rules.collect.has(key);
  for (const name of [key, ...(rules.aliases.get(key) ?? [])]) set(result, name, { value: stored, collect });
}

function set(result: Result, name: string, { value, collect }: { value: unknown; collect: boolean }): void {
  const keys = name.split(".");
  const last = keys.pop() ?? "";
  let target: Record<string, unknown> = result;
  for (const key of keys) target = (target[key] ??= {}) as Record<string, unknown>;
  const before = Object.hasOwn(target, last) ? target[last] : undefined;
  if (!collect) target[last] = value;
  else if (Array.isArray(before)) before.push(value);
  else target[last] = before ? [before, value] : [value];
}

function fillDefaults(result: Result, defaults: Record<string, unknown>, rules: Rules): void {
  for (const [key, value] of Object.entries(defaults)) {
    if (has(result, key)) continue;
    for (const name of [key, ...(rules.aliases.get(key) ?? [])]) set(result, name, { value, collect: false });
  }
  for (const key of rules.boolean) {
    if (!has(result, key)) set(result, key, { value: rules.collect.has(key) ? [] : false, collect: false });
  }
  for (const key of rules.string) {
    if (!has(result, key) && rules.collect.has(key)) set(result, key, { value: [], collect: false });
  }
}

function has(result: Result, name: string): boolean {
  let target: unknown = result;
  for (const key of name.split(".")) {
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return false;
    target = Reflect.get(target, key);
  }
  return true;
}

function numeric(text: string): string | number {
  return /\S/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}
