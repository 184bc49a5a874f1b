/**
 * The command that tries a server out, as a person may type it.
 *
 * @module
 */

/**
 * `codex-mcp tools SERVER`, quoted for a shell where the name asks for it.
 *
 * @example
 * ```ts
 * import { toolsCommand } from "./tools_command.ts";
 *
 * console.log(toolsCommand("my server")); // codex-mcp tools 'my server'
 * ```
 */
export function toolsCommand(server: string): string {
  if (/^[\p{L}\p{N}_][\p{L}\p{N}_.@/-]*$/u.test(server)) return `codex-mcp tools ${server}`;
  const end = server.startsWith("-") ? "-- " : "";
  return `codex-mcp tools ${end}'${server.replaceAll("'", "'\\''")}'`;
}
