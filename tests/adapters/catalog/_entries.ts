/**
 * Keys and entries for the tests of catalogs, and a folder of their own.
 *
 * @module
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { CatalogEntry } from "../../../core/catalog/entry.ts";
import type { ListedTools } from "../../../core/catalog/keep.ts";
import { type CatalogKey, catalogKey } from "../../../core/catalog/key.ts";
import type { CatalogStore } from "../../../core/catalog/store.ts";
import { createDigest } from "../../../adapters/http/transport/digest.ts";

/** The key of an ordinary server of this name. */
export async function keyOf(name: string): Promise<CatalogKey> {
  const subject = { kind: "stdio", configuration: name, credentials: [], surroundings: [] } as const;
  const key = await catalogKey(subject, createDigest());
  if (key === null) throw new Error("an ordinary server has no key");
  return key;
}

/** An entry with one tool of this name, which may be shared. */
export function entryOf(name: string, change: Partial<CatalogEntry> = {}): CatalogEntry {
  const tools = [{ name, inputSchema: { type: "object" } }];
  return {
    fetchedAt: 1000,
    ttlMs: 60_000,
    era: "modern",
    protocol: "2026-07-28",
    cacheScope: "public",
    tools,
    ...change,
  };
}

/** What a server says that has one tool of this name. */
export function listedOf(name: string, change: Partial<ListedTools> = {}): ListedTools {
  const hints = [{ ttlMs: 60_000, cacheScope: "public" }];
  return { tools: entryOf(name).tools, hints, era: "modern", protocol: "2026-07-28", ...change };
}

/** The name of the first tool under a key. */
export async function nameIn(store: CatalogStore, key: CatalogKey): Promise<string | null> {
  return (await store.read(key))?.tools[0]?.name ?? null;
}

/** A promise, and what settles it. */
export interface Later<T> {
  /** It. */
  readonly promise: Promise<T>;
  /** Fulfils it. */
  readonly resolve: (value: T) => void;
  /** Rejects it. */
  readonly reject: (error: Error) => void;
}

/** A promise that is settled later. */
export function later<T>(): Later<T> {
  const settle: Partial<Later<T>>[] = [];
  const promise = new Promise<T>((resolve, reject) => settle.push({ resolve, reject }));
  return { resolve: () => undefined, reject: () => undefined, ...settle[0], promise };
}

/** Waits until `holds`; fails when it takes too long. */
export async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !holds();) {
    if (Date.now() > end) throw new Error("it did not come to that");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Runs `body` with a folder that is not there yet, and takes away what it leaves. */
export async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(`${tmpdir()}/catalog-`);
  try {
    await body(`${parent}/cache/catalog`);
  } finally {
    await rm(parent, { recursive: true });
  }
}
