/**
 * What the command line of the benchmark asks for.
 *
 * @module
 */

import { parseArgs } from "@std/cli";
import { GROUPS, type PartOptions, PARTS } from "./part.ts";

/** What is asked for. */
export interface Order extends PartOptions {
  /** Names of the parts, in the order of the table. */
  readonly parts: readonly string[];
  /** Whether standard output gets the JSON document and no table. */
  readonly json: boolean;
  /** File that gets the JSON document too; absent: none. */
  readonly output?: string;
}

/** What `--help` prints. */
export const HELP: string = `deno task bench [--only NAME]… [--quick] [--json] [--output FILE]

Measures each figure beside its peer's, in the same run, and prints one table. Ratios mean something, absolute times only
on the machine they were taken on. A row with a target says whether it is met; a target that is missed is no failure.

  --only NAME    this part alone, may be repeated: ${
  [...Object.keys(PARTS), ...Object.keys(GROUPS)].join(", ")
}
  --quick        a few rounds: counts hold, times say nothing
  --json         print the JSON document instead of the table
  --output FILE  write the JSON document to FILE, whatever is printed

The document: { "runtime": { "deno", "v8", "platform", "processors" }, "measuredAt", "quick", "parts", "rows": [{ "part",
"name", "value", "unit", "peer", "peerValue", "target", "met" }], "targets", "missed" }. What was not measured is said on
standard error. CODEX_MCP_NODE_BIN names the codex-mcp of a built npm package, whose start is measured then.

Exits with 0, with 1 when a part could not be measured, with 2 when the command line is wrong.
`;

/** The command line is wrong. */
export class OrderError extends Error {
  override readonly name = "OrderError";
}

/** Reads it; `null`: help is asked for. Throws an {@linkcode OrderError}. */
export function readOrder(args: readonly string[]): Order | null {
  const unknown: string[] = [];
  const { only, quick, json, output, help } = parseArgs([...args], {
    string: ["only", "output"],
    boolean: ["quick", "json", "help"],
    collect: ["only"],
    unknown: (arg) => void unknown.push(arg),
  });
  if (help) return null;
  if (unknown.length > 0) throw new OrderError(`There is no ${unknown[0]}.`);
  if (output === "") throw new OrderError("--output takes the name of a file.");
  const named = only.flatMap((name) => GROUPS[name] ?? [name]);
  const stranger = named.find((name) => !Object.hasOwn(PARTS, name));
  if (stranger !== undefined) throw new OrderError(`There is no part ${JSON.stringify(stranger)}.`);
  const parts = Object.keys(PARTS).filter((name) => named.length === 0 || named.includes(name));
  return { parts, quick, json, ...(output === undefined ? {} : { output }) };
}
