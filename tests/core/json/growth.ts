/**
 * How the cost of something grows with the size of its input.
 *
 * @module
 */

import { fail } from "@std/assert";
import process from "node:process";

const SMALL = 200_000;

/** How often either is measured, at most: a busy machine can only make it slower. */
const ATTEMPTS = 5;

/**
 * Fails when ten times the input costs more than forty times the time: what is linear stays far below, what is
 * quadratic costs a hundred times. `make` gives an input of about so many characters. The shortest time counts, and
 * the long input is measured again only when it took too long.
 */
export function assertLinear(
  name: string,
  { make, run }: { readonly make: (size: number) => string; readonly run: (text: string) => unknown },
): void {
  const [shorter, longer] = [make(SMALL), make(10 * SMALL)];
  const small = Math.min(...Array.from({ length: ATTEMPTS }, () => time(run, shorter)));
  let large = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    large = Math.min(large, time(run, longer));
    if (large <= 40 * Math.max(small, 1)) return;
  }
  fail(`${name}: the text took ${small.toFixed(1)} ms, one ten times as long ${large.toFixed(1)} ms`);
}

/** How long a run takes, in milliseconds: by the clock or, where others had the processor meanwhile, by that. */
function time(run: (text: string) => unknown, text: string): number {
  const [start, used] = [performance.now(), process.cpuUsage()];
  run(text);
  const [elapsed, { user, system }] = [performance.now() - start, process.cpuUsage(used)];
  return Math.min(elapsed, (user + system) / 1000);
}
