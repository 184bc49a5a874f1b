/**
 * The soak of the host: ten threads at twenty servers that crash, hang, flood and change, while accounts, turns and the
 * configuration change. `soak_host.ts [SECONDS] [SEED]` prints figures, and ends with 1 when a rule did not hold. The
 * seed gives the decisions; when each is made still depends on the machine. Linux alone.
 *
 * Needs `--v8-flags=--expose-gc`.
 *
 * @module
 */

import { play } from "./play.ts";
import { Register } from "./register.ts";
import { judge } from "./verdict.ts";

if (import.meta.main) {
  const register = new Register();
  // what the soak itself cannot do must not count as a rejection of the host
  const code = await main(register).catch((error: unknown) => {
    console.log(error);
    for (const violation of register.violations) console.log(`violation: ${violation}`);
    return 1;
  });
  Deno.exit(code);
}

async function main(register: Register): Promise<number> {
  const seconds = Number(Deno.args[0] ?? 600);
  const seed = Number(Deno.args[1] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${seconds} s, seed ${seed}`);
  const started = performance.now();
  const tell = (line: string): void => {
    console.log(`${Math.round((performance.now() - started) / 1_000)} s: ${line}`);
  };
  const played = await play({ seconds, seed, register, tell });
  const tally = [...register.tally].toSorted(([a], [b]) => a < b ? -1 : 1);
  console.log(tally.map(([name, count]) => `${name}: ${count}`).join("; "));
  for (const violation of register.violations) console.log(`violation: ${violation}`);
  const rules = judge(played, { register, seconds });
  for (const { name, held, said } of rules) console.log(`${held ? "held    " : "NOT HELD"} ${name}: ${said}`);
  return rules.every(({ held }) => held) ? 0 : 1;
}
