/**
 * Results that are kept for later calls, each bound to the authority that it was made under.
 *
 * This file decides which entry answers a call and which one goes when there is no room. `compare.ts` decides
 * whether two authorities are the same. How long a result stays true is the caller's concern: put what it
 * depends on into the key.
 *
 * @module
 */

import type { CapturedAuthority } from "./authority.ts";
import { compareAuthority } from "./compare.ts";

/** How much a cache keeps. */
export interface AuthorityCacheOptions {
  /** Most entries, a whole number from 1 on. */
  readonly maxEntries: number;
  /** Most bytes: the sizes that callers give, and the texts of the authorities at two bytes a UTF-16 unit. */
  readonly maxBytes: number;
}

/** Under what a result was made, or is asked for. */
export interface CacheScope {
  /** Authority of the call at hand. */
  readonly authority: CapturedAuthority;
  /** The operator's modifiers, in their order; absent: none. */
  readonly modifiers?: readonly string[] | undefined;
}

/** A result to keep. */
export interface CachedValue<Value> {
  /** The result. It is handed out as it is: do not change it afterwards. */
  readonly value: Value;
  /** Its size in bytes, a whole number from 0 on. */
  readonly bytes: number;
}

/** What a cache has done and what it holds. */
export interface CacheCounts {
  /** Calls that got a result. */
  readonly hits: number;
  /** Calls for a key that has no entry at all. */
  readonly misses: number;
  /** Calls for a key that has entries, all of them under other authorities. */
  readonly refused: number;
  /** Entries at present. */
  readonly entries: number;
  /** Bytes at present. */
  readonly bytes: number;
}

/** The entries of one authority. */
interface Group<Value> {
  readonly scope: CacheScope;
  readonly bytes: number;
  readonly entries: Map<string, Entry<Value>>;
}

interface Entry<Value> {
  readonly group: Group<Value>;
  readonly key: string;
  readonly kept: CachedValue<Value>;
}

/**
 * Keeps results by key and authority: state, launcher and the operator's modifiers, compared as
 * {@linkcode compareAuthority} does. An entry never answers a call under another authority. Where there is no
 * room, the entries that were not used for longest go.
 *
 * @example
 * ```ts
 * import { AuthorityCache, captureAuthority } from "@codex-mcp/runtime";
 *
 * const cache = new AuthorityCache<string>({ maxEntries: 100, maxBytes: 1_000_000 });
 * const wide = captureAuthority({ "codex/sandbox-state": { sandboxCwd: "/a" } });
 * const narrow = captureAuthority({ "codex/sandbox-state": { sandboxCwd: "/b" } });
 * cache.set({ authority: wide }, "git status", { value: "clean", bytes: 5 });
 * console.log(cache.get({ authority: wide }, "git status")); // clean
 * console.log(cache.get({ authority: narrow }, "git status")); // undefined
 * console.log(cache.counts.refused); // 1
 * ```
 */
export class AuthorityCache<Value> {
  readonly #options: AuthorityCacheOptions;
  readonly #groups = new Set<Group<Value>>();
  /** All entries, those used last at the end. */
  readonly #entries = new Set<Entry<Value>>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  #refused = 0;

  /** Creates an empty cache. Throws a `RangeError` for a limit that is no whole number from 1 on. */
  constructor(options: AuthorityCacheOptions) {
    const { maxEntries, maxBytes } = options;
    for (const limit of [maxEntries, maxBytes]) requireWhole(limit, 1);
    this.#options = { maxEntries, maxBytes };
  }

  /** What the cache has done and what it holds, as of now. */
  get counts(): CacheCounts {
    return {
      hits: this.#hits,
      misses: this.#misses,
      refused: this.#refused,
      entries: this.#entries.size,
      bytes: this.#bytes,
    };
  }

  /** The result under `key` that was made under the authority of `scope`; `undefined` when there is none. */
  get(scope: CacheScope, key: string): Value | undefined {
    const entry = this.#groupOf(scope)?.entries.get(key);
    if (entry !== undefined) {
      this.#hits++;
      this.#entries.delete(entry);
      this.#entries.add(entry);
      return entry.kept.value;
    }
    if ([...this.#groups].some(({ entries }) => entries.has(key))) this.#refused++;
    else this.#misses++;
    return undefined;
  }

  /**
   * Keeps a result, in place of the one that the key has under this authority. Returns `false` when it is
   * larger than the cache: then nothing is kept under the key and this authority. Throws a `RangeError` for a size
   * that is no whole number.
   */
  set(scope: CacheScope, key: string, kept: CachedValue<Value>): boolean {
    requireWhole(kept.bytes, 0);
    this.delete(scope, key);
    const group = this.#groupOf(scope) ?? createGroup<Value>(scope);
    if (kept.bytes + group.bytes > this.#options.maxBytes) return false;
    if (!this.#groups.has(group)) {
      this.#groups.add(group);
      this.#bytes += group.bytes;
    }
    const entry: Entry<Value> = { group, key, kept: { value: kept.value, bytes: kept.bytes } };
    group.entries.set(key, entry);
    this.#entries.add(entry);
    this.#bytes += kept.bytes;
    for (const oldest of this.#entries) {
      if (this.#entries.size <= this.#options.maxEntries && this.#bytes <= this.#options.maxBytes) break;
      this.#remove(oldest);
    }
    return true;
  }

  /** Drops the result under `key` of this authority; `false` when there is none. */
  delete(scope: CacheScope, key: string): boolean {
    const entry = this.#groupOf(scope)?.entries.get(key);
    if (entry === undefined) return false;
    this.#remove(entry);
    return true;
  }

  /** Drops everything but the counts of what was asked. */
  clear(): void {
    this.#groups.clear();
    this.#entries.clear();
    this.#bytes = 0;
  }

  #groupOf(scope: CacheScope): Group<Value> | undefined {
    for (const group of this.#groups) if (isSame(group.scope, scope)) return group;
    return undefined;
  }

  #remove(entry: Entry<Value>): void {
    const { group, key, kept } = entry;
    this.#entries.delete(entry);
    group.entries.delete(key);
    this.#bytes -= kept.bytes;
    if (group.entries.size > 0) return;
    this.#groups.delete(group);
    this.#bytes -= group.bytes;
  }
}

function createGroup<Value>({ authority, modifiers = [] }: CacheScope): Group<Value> {
  const texts = [authority.stateText, authority.launcherText ?? "", ...modifiers];
  return {
    scope: { authority, modifiers: [...modifiers] },
    bytes: texts.reduce((bytes, text) => bytes + 2 * text.length, 0),
    entries: new Map(),
  };
}

function isSame(kept: CacheScope, { authority, modifiers = [] }: CacheScope): boolean {
  const { modifiers: own = [] } = kept;
  return own.length === modifiers.length && own.every((word, at) => word === modifiers[at]) &&
    compareAuthority(kept.authority, authority).same;
}

function requireWhole(value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new RangeError(`Cannot take ${value} for a size: it is no whole number from ${least} on`);
}
