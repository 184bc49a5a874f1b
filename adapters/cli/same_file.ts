/**
 * The commands that a person is told to run next, with the configuration file that the person named: without it they
 * would look at another one.
 *
 * Which command comes next is decided where a state or an error is told.
 *
 * @module
 */

import type { Flags } from "./flags.ts";

/** The commands that read a configuration, where a text names them. */
const COMMAND =
  /\bcodex-mcp (?:call|doctor|login|logout|servers|status|token|tools)\b(?! --(?:config|help)\b)/g;

/**
 * `text` with `--config FILE` in each command of ours that it names; as it is when no file was named.
 *
 * @example
 * ```ts
 * import { onSameFile } from "./same_file.ts";
 *
 * const flags = { value: () => ".mcp.json" };
 * console.log(onSameFile("Not asked. Run: codex-mcp tools files", flags));
 * // Not asked. Run: codex-mcp tools --config .mcp.json files
 * ```
 */
export function onSameFile(text: string, flags: Pick<Flags, "value">): string {
  const file = flags.value("config");
  if (file === undefined) return text;
  return text.replace(COMMAND, (command) => `${command} --config ${quoted(file)}`);
}

/** As a shell reads it. */
function quoted(path: string): string {
  return /^[\p{L}\p{N}_./][\p{L}\p{N}_.@/-]*$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
