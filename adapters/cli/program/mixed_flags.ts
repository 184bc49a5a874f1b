/**
 * The command line of a command whose flags may stand before, between and after its words. How a flag itself is read is
 * decided in `flags.ts`.
 *
 * @module
 */

import { type FlagNames, type Flags, readFlags } from "./flags.ts";

/**
 * Reads `args`; `rest` are the words. After `--` everything is a word. Of a flag that is given twice the later one
 * counts. Throws a `UsageError` for a flag that is not known or lacks its value.
 */
export function readMixedFlags(args: readonly string[], names: FlagNames): Flags {
  const words: string[] = [];
  let flags = readFlags(args, names);
  for (;;) {
    const [word, ...more] = flags.rest;
    if (word === undefined) return { ...flags, rest: words };
    words.push(word);
    if (more[0] === "--") return { ...flags, rest: [...words, ...more.slice(1)] };
    flags = over(flags, readFlags(more, names));
  }
}

/** What was typed before, and what was typed after it, which counts. */
function over(before: Flags, after: Flags): Flags {
  return {
    has: (name) => before.has(name) || after.has(name),
    value: (name) => after.value(name) ?? before.value(name),
    list: (name) => [...before.list(name), ...after.list(name)],
    count: (name) => after.count(name) ?? before.count(name),
    milliseconds: (name) => after.milliseconds(name) ?? before.milliseconds(name),
    rest: after.rest,
  };
}
