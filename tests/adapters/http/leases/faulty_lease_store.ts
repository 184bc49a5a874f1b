/**
 * A lease store for tests: in memory, with what it was asked, and failing or silent as a test says.
 *
 * @module
 */

import { MemoryLeaseStore } from "../../../../adapters/http/leases/memory_lease_store.ts";
import type { LeaseChange, LeaseStore } from "../../../../core/ports/lease_store.ts";

/** How a store behaves. */
export type StoreMood = "well" | "down" | "silent" | "full";

/** A store whose mood can be changed. */
export class FaultyLeaseStore implements LeaseStore {
  readonly #texts = new Map<string, string>();
  readonly #inner: MemoryLeaseStore;
  /** How it behaves now. */
  mood: StoreMood = "well";
  /** How often it was asked. */
  asked = 0;

  /** Begins empty and well. */
  constructor(clock: { now(): number }) {
    this.#inner = new MemoryLeaseStore({ clock });
  }

  /** Every text that was ever put into it, the last one under each name. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /** Puts a text there as somebody with access to the store would. */
  async plant(name: string, text: string): Promise<void> {
    const { signal } = new AbortController();
    const expected = await this.#inner.read(name, signal);
    await this.#inner.change(name, { expected, next: text, seconds: 3_600 }, signal);
  }

  /** Reads. */
  async read(name: string, signal: AbortSignal): Promise<string | null> {
    this.asked += 1;
    if (this.mood === "silent") return await new Promise<never>(() => undefined);
    if (this.mood === "down") throw new Error("the store is down");
    return await this.#inner.read(name, signal);
  }

  /** Compares and changes. */
  async change(name: string, change: LeaseChange, signal: AbortSignal): Promise<boolean> {
    this.asked += 1;
    if (this.mood === "silent") return await new Promise<never>(() => undefined);
    if (this.mood !== "well") throw new Error("the store is down or full");
    const changed = await this.#inner.change(name, change, signal);
    if (changed && change.next !== null) this.#texts.set(name, change.next);
    return changed;
  }
}
