/**
 * The lease store port: short texts that several processes share, each of which ends by itself.
 *
 * This file decides the shape only. `adapters/http/leases/memory_lease_store.ts` implements it in memory,
 * `adapters/redis` over Redis. What a text holds is decided by `adapters/http/leases/lease_seal.ts`, which encrypts it:
 * a store never sees a token, an account or a URL.
 *
 * @module
 */

/** What becomes of a name, if it holds what is expected. */
export type LeaseChange =
  /** Keeps `next` for `seconds` in place of `expected`; `null`: of nothing. */
  | { readonly expected: string | null; readonly next: string; readonly seconds: number }
  /** Takes `expected` away. */
  | { readonly expected: string; readonly next: null };

/** Keeps texts for a while. What it rejects with says nothing to anyone: its callers go on without it. */
export interface LeaseStore {
  /** The text under `name`; `null`: there is none, or its time is over. */
  read(name: string, signal: AbortSignal): Promise<string | null>;
  /** Compares and changes in one step; `false`: something else was there, and it stays. */
  change(name: string, change: LeaseChange, signal: AbortSignal): Promise<boolean>;
}
