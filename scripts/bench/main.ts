/**
 * The benchmark: every row beside its peer, measured in the same run, in one table or one JSON document. `order.ts`
 * says what can be asked for, `part.ts` which parts there are.
 *
 * @module
 */

import { documentOf, type DocumentRow, textOf } from "./document.ts";
import { HELP, OrderError, readOrder } from "./order.ts";
import { PARTS } from "./part.ts";
import { formatTable, summaryOf } from "./row.ts";

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: readonly string[]): Promise<number> {
  try {
    const order = readOrder(args);
    if (order === null) {
      console.log(HELP.trimEnd());
      return 0;
    }
    const { rows, failures } = await measure(order.parts, order.quick);
    const text = textOf(documentOf(rows, {
      runtime: {
        deno: Deno.version.deno,
        v8: Deno.version.v8,
        platform: `${Deno.build.os} ${Deno.build.arch}`,
        processors: navigator.hardwareConcurrency,
      },
      measuredAt: new Date().toISOString(),
      quick: order.quick,
    }));
    if (order.output !== undefined) await Deno.writeTextFile(order.output, text);
    if (order.json) console.log(text.trimEnd());
    else for (const line of [...formatTable(rows), "", summaryOf(rows)]) console.log(line);
    return failures === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof OrderError)) throw error;
    console.error(`${error.message} Try: deno task bench --help`);
    return 2;
  }
}

/** Measures the parts one after the other. One that fails is told, and takes no other along. */
async function measure(
  parts: readonly string[],
  quick: boolean,
): Promise<{ readonly rows: readonly DocumentRow[]; readonly failures: number }> {
  const rows: DocumentRow[] = [];
  let failures = 0;
  for (const part of parts) {
    const started = performance.now();
    try {
      const measured = await PARTS[part]!({ quick });
      rows.push(...measured.map((row) => ({ part, ...row })));
      console.error(`${part}: ${Math.round((performance.now() - started) / 1000)} s`);
    } catch (error) {
      failures += 1;
      console.error(`${part} could not be measured: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  return { rows, failures };
}
