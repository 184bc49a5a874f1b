/**
 * The version of this package, as the command line says it. A gate holds it against `deno.json`.
 *
 * @module
 */

/** Version of `@codex-mcp/runtime`. */
export const VERSION = "0.1.0";
