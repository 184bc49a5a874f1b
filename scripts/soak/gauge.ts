/**
 * What the process of the host takes: memory, descriptors, children. Linux alone.
 *
 * @module
 */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { childrenOf } from "../../tests/fixtures/faults/proc.ts";

/** What was measured. */
export interface Figures {
  /** Bytes of V8's heap in use after a collection, and of what it holds outside. */
  readonly heap: number;
  /** Resident bytes. */
  readonly resident: number;
  /** Open sockets. */
  readonly sockets: number;
  /** Open descriptors besides sockets. */
  readonly descriptors: number;
  /** Children, those included that nobody reaped. */
  readonly children: number;
}

/** Measures, after a collection. Needs `--v8-flags=--expose-gc`. */
export async function measure(): Promise<Figures> {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (gc === undefined) throw new Error("Cannot collect garbage: start with --v8-flags=--expose-gc");
  for (let round = 0; round < 4; round += 1) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 50)); // finalizers run in between
  }
  const { heapUsed, external, rss } = Deno.memoryUsage();
  const kinds = descriptorsOf();
  const sockets = kinds.filter((kind) => kind.startsWith("socket:")).length;
  return {
    heap: heapUsed + external,
    resident: rss,
    sockets,
    descriptors: kinds.length - sockets,
    children: childrenOf(Deno.pid).length,
  };
}

/** What each open descriptor stands for. */
function descriptorsOf(): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return []; // that of the listing itself
    }
  });
}

/** Processes that were started with `SOAK_RUN=run`, whoever their parent is by now. */
export function processesOf(run: string): readonly number[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(`SOAK_RUN=${run}`)
        ? [Number(name)]
        : [];
    } catch {
      return []; // it has ended, or is somebody else's
    }
  });
}

/** Bytes as people read them. */
export function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
