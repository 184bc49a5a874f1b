/**
 * The commands that a person is told to run next, as they work for that person: with the configuration file that was
 * named, without which they would look at another one, and by npx where npx started this program or a project has it
 * installed, which then is on no `PATH`.
 *
 * Which command comes next is decided where a state or an error is told.
 *
 * @module
 */

import { variable } from "../terminal/terminal.ts";
import type { Flags } from "./flags.ts";

/** The commands that read a configuration, where a text names them. */
const COMMAND =
  /\bcodex-mcp (?:call|doctor|login|logout|servers|status|token|tools)\b(?! --(?:config|help)\b)/g;

/** A command of ours, where a text names it. */
const ANY_COMMAND =
  /\bcodex-mcp (?=(?:call|check|doctor|exec|login|logout|relay|serve|servers|status|token|tools|--help)\b)/g;

/** The program by the name of its package, with which npx finds it whether it is installed or not. */
const BY_PACKAGE = "npx @codex-mcp/runtime ";

/** The program by its own name, which npx finds where the package is installed, and nowhere else. */
const BY_NAME = "npx codex-mcp ";

let program: string | undefined;

/** Says by which path this program was started; `undefined`: it is no installed program. */
export function startedAs(path: string | undefined): void {
  program = path;
}

/** `text` with each command of ours as npx starts it, if npx started this program, or a project has it. */
export function byNpx(text: string): string {
  const byName = /^['"]?codex-mcp\b/.test(variable("npm_lifecycle_script") ?? "");
  const isNpx = byName && variable("npm_lifecycle_event") === "npx";
  // the folder that npx fetches packages into is no project
  const isInstalled = program !== undefined && /[\\/]node_modules[\\/]\.bin[\\/]/.test(program) &&
    !/[\\/]_npx[\\/]/.test(program);
  if (isInstalled) return text.replace(ANY_COMMAND, BY_NAME);
  return isNpx ? text.replace(ANY_COMMAND, BY_PACKAGE) : text;
}

/**
 * `text` with `--config FILE` in each command of ours that it names, if a file was named, and {@linkcode byNpx}.
 *
 * @example
 * ```ts
 * import { onSameFile } from "./next_command.ts";
 *
 * const flags = { value: () => ".mcp.json" };
 * console.log(onSameFile("Not asked. Run: codex-mcp tools files", flags));
 * // Not asked. Run: codex-mcp tools --config .mcp.json files
 * ```
 */
export function onSameFile(text: string, flags: Pick<Flags, "value">): string {
  const file = flags.value("config");
  if (file === undefined) return byNpx(text);
  return byNpx(text.replace(COMMAND, (command) => `${command} --config ${quoted(file)}`));
}

/** `path` as a shell reads it. */
export function quoted(path: string): string {
  return /^[\p{L}\p{N}_./][\p{L}\p{N}_.@/-]*$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
