/**
 * The program whose memory is measured: `memory_program.ts host|sdk THREADS`, what it has to know of the bed as JSON on
 * standard input. Prints bytes a thread. Needs `--v8-flags=--expose-gc`.
 *
 * @module
 */

import type { Place } from "./place.ts";
import type { Program, ProgramThread } from "./side.ts";

/** Threads that are opened before anything counts, so that code is loaded and compiled. */
const WARM_UP = 50;

/** Threads that connect at the same time. */
const AT_ONCE = 25;

if (import.meta.main) {
  const [side = "", count = ""] = Deno.args;
  const place: Place = JSON.parse(await new Response(Deno.stdin.readable).text());
  console.log(await measure(await start(side, place), Number(count)));
  Deno.exit(0);
}

/** Only what a side needs is loaded. */
async function start(side: string, place: Place): Promise<Program> {
  if (side === "sdk") return await (await import("./sdk_program.ts")).startSdkProgram(place);
  return await (await import("./host_program.ts")).startHostProgram(place);
}

async function measure(program: Program, count: number): Promise<number> {
  const kept = [await open(program, WARM_UP)];
  const before = await held();
  kept.push(await open(program, count));
  const bytes = (await held() - before) / count;
  // they are in use until here
  await kept.at(-1)?.at(-1)?.call();
  return bytes;
}

async function open(program: Program, count: number): Promise<readonly ProgramThread[]> {
  const threads = Array.from({ length: count }, () => program.openThread());
  const [first] = threads;
  await first?.call();
  for (let at = 1; at < threads.length; at += AT_ONCE) {
    await Promise.all(threads.slice(at, at + AT_ONCE).map((thread) => thread.call()));
  }
  return threads;
}

/** Bytes of V8's heap and of what belongs to it, after collecting until it is no less. */
async function held(): Promise<number> {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect !== "function") throw new Error("Start Deno with --v8-flags=--expose-gc");
  let least = Infinity;
  for (let round = 0; round < 6; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    collect();
    const { heapUsed, external } = Deno.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
}
