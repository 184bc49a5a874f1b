/**
 * The command that looks again at what the doctor has looked at: with the servers that were named and the flags that
 * decide what is tried. Without `--connect` it would pass where connecting fails.
 *
 * The file of the configuration and npx are added in `program/next_command.ts`.
 *
 * @module
 */

import type { Flags } from "../program/flags.ts";
import { quoted } from "../program/next_command.ts";

/** The command that looks again, as checks name it. */
export const AGAIN = "codex-mcp doctor";

/** The doctor at the end of a text, with the servers that the text names itself. */
const LAST = /\bcodex-mcp doctor((?: \w[\w-]*)*)( --connect)?$/;

/**
 * `text` with the command at its end, if that is the doctor's, as it was given: its flags, and its servers unless the
 * text names one.
 *
 * @example
 * ```ts
 * import { asGiven } from "./again.ts";
 *
 * const flags = { has: (name: string) => name === "connect", value: () => undefined, rest: ["notes"] };
 * console.log(asGiven("correct it, then run: codex-mcp doctor", flags));
 * // correct it, then run: codex-mcp doctor --connect notes
 * ```
 */
export function asGiven(text: string, { has, value, rest }: Pick<Flags, "has" | "value" | "rest">): string {
  const valued = ["codex", "cwd"].flatMap((name) => {
    const given = value(name);
    return given === undefined ? [] : [`--${name}`, quoted(given)];
  });
  const words = rest.map(quoted);
  const end = rest.some((word) => word.startsWith("-")) ? ["--"] : [];
  return text.replace(LAST, (_, own: string, connect = "") => {
    const servers = own === "" ? [...end, ...words] : own.trim().split(" ");
    return [AGAIN, ...has("connect") || connect !== "" ? ["--connect"] : [], ...valued, ...servers].join(" ");
  });
}
