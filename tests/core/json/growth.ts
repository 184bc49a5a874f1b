/**
 * How the cost of something grows with the size of its input.
 *
 * @module
 */

import { fail } from "@std/assert";

const SMALL = 200_000;

/**
 * Fails when ten times the input costs more than forty times the time: what is linear stays far below, what is
 * quadratic costs a hundred times. `make` gives an input of about so many characters.
 */
export function assertLinear(
  name: string,
  { make, run }: { readonly make: (size: number) => string; readonly run: (text: string) => unknown },
): void {
  const small = fastest(make(SMALL), run);
  const large = fastest(make(10 * SMALL), run);
  if (large > 40 * Math.max(small, 1)) {
    fail(`${name}: the text took ${small.toFixed(1)} ms, one ten times as long ${large.toFixed(1)} ms`);
  }
}

/** The shortest of three runs, in milliseconds: the others were disturbed. */
function fastest(text: string, run: (text: string) => unknown): number {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    run(text);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
