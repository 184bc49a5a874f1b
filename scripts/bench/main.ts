/**
 * The benchmark: every row beside its peer, measured in the same run. Prints one table; `--json` prints one JSON
 * document instead. Ratios mean something, absolute times only on the machine they were taken on.
 *
 * @module
 */

import { measureChain } from "./chain.ts";
import { measureCore } from "./core.ts";
import { measureExact } from "./exact.ts";
import { formatRow, type Row } from "./row.ts";
import { measureSizes } from "./sizes.ts";

const PARTS: readonly (() => Promise<readonly Row[]>)[] = [
  measureCore,
  measureExact,
  measureChain,
  measureSizes,
];

if (import.meta.main) {
  const json = Deno.args.includes("--json");
  const rows: Row[] = [];
  for (const measure of PARTS) {
    const measured = await measure();
    rows.push(...measured);
    if (!json) { for (const row of measured) console.log(formatRow(row)); }
  }
  const missed = rows.filter((row) => row.met === false);
  if (json) console.log(JSON.stringify(rows, null, 2));
  else console.log(missed.length === 0 ? "\nEvery target was met." : `\n${missed.length} target(s) missed.`);
}
