/**
 * Timing of functions against each other: in turn, so that what slows the machine slows all of them.
 *
 * @module
 */

/** Middle value; the mean of the two middle ones for an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median microseconds of one call of each function, over `rounds` rounds in which each runs for about 20 ms. */
export function timeTogether<Name extends string>(
  functions: Readonly<Record<Name, () => unknown>>,
  rounds = 15,
): Record<Name, number> {
  const names = Object.keys(functions) as Name[];
  const calls = new Map(names.map((name) => [name, calibrate(functions[name])]));
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples.get(name)!.push(timeCalls(functions[name], calls.get(name)!));
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name)!)])) as Record<Name, number>;
}

/**
 * Milliseconds of each asynchronous function in each of `rounds` rounds, after `warmUp` that do not count. Each
 * function runs once a round, and another one first in each, since what runs first pays for what the one before left
 * behind.
 */
export async function timeInTurn<Name extends string>(
  functions: Readonly<Record<Name, () => Promise<unknown>>>,
  { rounds, warmUp = 1 }: { readonly rounds: number; readonly warmUp?: number },
): Promise<Record<Name, readonly number[]>> {
  const names = Object.keys(functions) as Name[];
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < warmUp + rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const milliseconds = await timeOnce(functions[name]);
      if (round >= warmUp) samples.get(name)!.push(milliseconds);
    }
  }
  return Object.fromEntries(samples) as unknown as Record<Name, readonly number[]>;
}

/** How long `work` takes, in milliseconds. */
export async function timeOnce(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Median of what the pairs differ by, `values` before `others`. */
export function medianDifference(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, index) => value - others[index]!));
}

/** How many calls take about 20 ms, once the function is warm. */
function calibrate(call: () => unknown): number {
  for (let calls = 1;; calls *= 2) {
    const microseconds = timeCalls(call, calls) * calls;
    if (microseconds > 20_000) return calls;
  }
}

function timeCalls(call: () => unknown, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) call();
  return (performance.now() - start) * 1000 / calls;
}
