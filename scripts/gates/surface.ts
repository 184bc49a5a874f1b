/**
 * Loads every export key of a tree, in a process of its own, for the gates `exports.ts` and `errors.ts`.
 *
 * @module
 */

import { runDeno } from "../command.ts";
import type { KeySurface } from "./_surface.ts";

/** What each export key offers at run time. The tree's own `deno.json` resolves the imports. */
export async function loadSurface(root: string): Promise<Readonly<Record<string, KeySurface>>> {
  const program = new URL("./_surface.ts", import.meta.url).href;
  const result = await runDeno(
    ["run", "-A", "--quiet", "--no-check", "--no-lock", "--config", `${root}/deno.json`, program, root],
    { directory: root },
  );
  const line = result.stdout.trim().split("\n").at(-1) ?? "";
  if (result.code !== 0 || !line.startsWith("{")) {
    throw new Error(`Cannot load the export keys: ${result.output.trim()}`);
  }
  return JSON.parse(line) as Record<string, KeySurface>;
}
