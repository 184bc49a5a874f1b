/**
 * The parts of the benchmark, in the order of its table. Each is loaded when it is measured.
 *
 * @module
 */

import type { Row } from "./row.ts";

/** How thoroughly a part measures. */
export interface PartOptions {
  /** A few rounds, for who wants to know that it works: counts hold, times say nothing. */
  readonly quick: boolean;
}

/** A part: measures, and gives back its rows. */
export type Part = (options: PartOptions) => Promise<readonly Row[]>;

/** The parts by name. */
export const PARTS: Readonly<Record<string, Part>> = {
  sandbox: async () => (await import("./core.ts")).measureCore(),
  exact: async () => (await import("./exact.ts")).measureExact(),
  chain: async (options) => (await import("./chain.ts")).measureChain(options),
  cold: async (options) => (await import("./enterprise/cold.ts")).measureCold(options),
  warm: async (options) => (await import("./enterprise/warm.ts")).measureWarm(options),
  rush: async (options) => (await import("./enterprise/rush.ts")).measureRush(options),
  memory: async (options) => (await import("./enterprise/memory.ts")).measureMemory(options),
  startup: async (options) => (await import("./startup.ts")).measureStartup(options),
  sizes: async () => (await import("./sizes.ts")).measureSizes(),
};

/** Names that stand for several parts. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  enterprise: ["cold", "warm", "rush", "memory"],
};
