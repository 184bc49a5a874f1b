/**
 * Whether a command that a document shows exists: the task is in `deno.json`, `codex-mcp` has the command and its
 * flags. What a document shows is read in `shell.ts`.
 *
 * @module
 */

import { COMMANDS } from "../../adapters/cli/command_line.ts";
import type { FlagNames } from "../../adapters/cli/program/flags.ts";
import type { ShownCommand } from "./shell.ts";

/** Flags of every command. */
const EVERYWHERE: readonly string[] = ["help", "json"];

/** What stands for a word of the reader's own: `COMMAND`, `<name>`, `…`, `$NAME`. */
const PLACEHOLDER = /^(?:[A-Z][A-Z_]*|<.*>|\[.*|.*…|\$.*)$/;

/** What there is. */
export interface KnownCommands {
  /** Tasks of `deno.json`. */
  readonly tasks: ReadonlySet<string>;
  /** Flags of each command of `codex-mcp`, `--help` and `--json` included. */
  readonly flags: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What there is: these tasks, and the commands of the command line itself. */
export async function knownCommands(tasks: readonly string[]): Promise<KnownCommands> {
  const loaded = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => [name, namesOf((await load()).flags)] as const),
  );
  return { tasks: new Set(tasks), flags: new Map(loaded) };
}

function namesOf({ switches = [], values = [], lists = [] }: FlagNames): ReadonlySet<string> {
  return new Set([...switches, ...values, ...lists, ...EVERYWHERE]);
}

/** What is wrong with `command`, a sentence without its subject; `null` when nothing is. */
export function commandFlaw({ kind, words }: ShownCommand, known: KnownCommands): string | null {
  const [name, ...rest] = words;
  if (name === undefined || PLACEHOLDER.test(name)) return null;
  if (kind === "task") {
    return known.tasks.has(name) ? null : `runs the task ${name}, which deno.json does not have`;
  }
  if (["--version", "-V", "--help", "-h", "help", "--json"].includes(name)) return null;
  const flags = known.flags.get(name);
  if (flags === undefined) return `runs codex-mcp ${name}, which there is not`;
  const unknown = rest.map((word) => /^--([\w-]+)/.exec(word)?.[1]).find((flag) =>
    flag !== undefined && !flags.has(flag)
  );
  return unknown === undefined ? null : `gives codex-mcp ${name} --${unknown}, which it does not know`;
}
