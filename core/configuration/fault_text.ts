/**
 * Faults and warnings in one line for a person: `file:line: what is wrong`.
 *
 * What is wrong is said where it is found.
 *
 * @module
 */

import { type ConfigurationFault, type ConfigurationWarning, placeOf } from "./layers/fault.ts";

/**
 * `fault` in one line, without a line end. It begins with the file, and the line where it is known, as compilers write
 * it; the layer is named when the fault stands in no file. Characters that a terminal acts on are escaped.
 *
 * @example
 * ```ts
 * import { renderFault } from "./fault_text.ts";
 * import { faultOf } from "./layers/fault.ts";
 *
 * const layer = { kind: "user", source: "/home/dev/.codex/config.toml" } as const;
 * const path = ["mcp_servers", "files", "args"];
 * const fault = faultOf("FIELD_TYPE", { path, layer, state: "it must be a list of strings." });
 * console.log(renderFault({ ...fault, line: 12 }));
 * // /home/dev/.codex/config.toml:12: Cannot use mcp_servers.files.args: it must be a list of strings.
 * ```
 */
export function renderFault(fault: ConfigurationFault | ConfigurationWarning): string {
  const { layer, field, line, message } = fault;
  if (layer === null) return plain(message);
  const sentence = message.replace(placeOf(field, layer), () => field === "" ? "it" : field);
  return plain(`${layer.source}${line === undefined ? "" : `:${line}`}: ${sentence}`);
}

/** Controls, line separators and marks of direction as escapes. */
function plain(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
