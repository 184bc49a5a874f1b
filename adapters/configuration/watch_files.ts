/**
 * Watches files by what is in them: editors replace a file, links change what a name means, a folder comes later. The
 * folders are watched where the system can, and everything is looked at now and then besides, for what it cannot see
 * (network drives, folders that are not there yet).
 *
 * Which files matter is decided by the sources. Needs `--allow-read` on Deno.
 *
 * @module
 */

import { type FSWatcher, watch } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { fingerprintOf, readConfigurationText } from "./read_text.ts";
import type { Watching } from "./source.ts";

/** What a watching depends on. */
export interface WatchOptions {
  /** The fingerprints that count as known, by path; kept up to date. What is not in it at first is taken as it is. */
  readonly seen: Map<string, string>;
  /** Is called after a change, never while another call of it runs, and not after the watching has ended. */
  readonly onChange: () => void;
  /** Milliseconds that a file must stay the same before a change counts; absent: 100. */
  readonly settleMs?: number;
  /** Milliseconds between two looks at everything; absent: 5000, and 1000 where a folder cannot be watched. */
  readonly pollMs?: number;
}

/** Begins to watch the files that `paths` gives, which is asked before every look. Does not keep the process alive. */
export function watchFiles(
  paths: () => readonly string[] | Promise<readonly string[]>,
  options: WatchOptions,
): Watching {
  const watcher = new FileWatcher(paths, options);
  watcher.start();
  return { close: () => watcher.close() };
}

type Timer = ReturnType<typeof setTimeout>;

/** A watched folder: which one it is, so that another under its name is noticed. */
interface WatchedFolder {
  readonly watcher: FSWatcher;
  readonly identity: string;
}

class FileWatcher {
  readonly #paths: () => readonly string[] | Promise<readonly string[]>;
  readonly #options: WatchOptions;
  readonly #folders = new Map<string, WatchedFolder>();
  #blind = false;
  #first = true;
  #closed = false;
  #looking = false;
  #again = false;
  #soon: Timer | null = null;
  #later: Timer | null = null;

  constructor(paths: () => readonly string[] | Promise<readonly string[]>, options: WatchOptions) {
    this.#paths = paths;
    this.#options = options;
  }

  start(): void {
    void this.#look();
  }

  close(): void {
    this.#closed = true;
    for (const timer of [this.#soon, this.#later]) if (timer !== null) clearTimeout(timer);
    for (const folder of [...this.#folders.keys()]) this.#forget(folder);
  }

  /** Something happened in a watched folder: look soon, once for many events. */
  #stir(): void {
    if (this.#closed || this.#soon !== null) return;
    this.#soon = setTimeout(() => {
      this.#soon = null;
      void this.#look();
    }, this.#options.settleMs ?? 100);
    this.#soon.unref();
  }

  async #look(): Promise<void> {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    try {
      do {
        this.#again = false;
        const paths = await this.#paths();
        await this.#arm(paths);
        if (await this.#hasChanged(paths) && !this.#closed) this.#options.onChange();
      } while (this.#again && !this.#closed);
    } finally {
      this.#looking = false;
      this.#first = false;
      if (!this.#closed) this.#lookLater();
    }
  }

  #lookLater(): void {
    for (const { watcher } of this.#folders.values()) letGo(watcher);
    if (this.#later !== null) clearTimeout(this.#later);
    this.#later = setTimeout(() => void this.#look(), this.#options.pollMs ?? (this.#blind ? 1000 : 5000));
    this.#later.unref();
  }

  /** Whether a file is not what it was. Waits until none changes any more, two seconds at most. */
  async #hasChanged(paths: readonly string[]): Promise<boolean> {
    const { seen, settleMs = 100 } = this.#options;
    let now = await fingerprints(paths);
    const unseen = (path: string): string | undefined => this.#first ? now.get(path) : "missing";
    const changed = (): readonly string[] =>
      paths.filter((path) => (seen.get(path) ?? unseen(path)) !== now.get(path));
    if (changed().length > 0) {
      for (let waited = 0; waited < 2000 && !this.#closed; waited += settleMs) {
        await new Promise<void>((resolve) => setTimeout(resolve, settleMs).unref());
        const before = now;
        now = await fingerprints(paths);
        if (paths.every((path) => before.get(path) === now.get(path))) break;
      }
    }
    const found = changed().length > 0;
    for (const [path, fingerprint] of now) seen.set(path, fingerprint);
    return found;
  }

  /** Watches the folders of `paths` and of what they link to, and no others. */
  async #arm(paths: readonly string[]): Promise<void> {
    const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
    const wanted = new Set([...paths, ...real].map((path) => dirname(path)));
    this.#blind = false;
    for (const folder of wanted) {
      const facts = await stat(folder).catch(() => null);
      const identity = facts === null ? null : `${facts.dev} ${facts.ino}`;
      if (this.#closed) return;
      if (identity === null) this.#blind = true;
      if (this.#folders.get(folder)?.identity === identity) continue;
      this.#forget(folder);
      if (identity !== null) this.#watch(folder, identity);
    }
    for (const folder of this.#folders.keys()) if (!wanted.has(folder)) this.#forget(folder);
  }

  #watch(folder: string, identity: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#stir());
      watcher.on("error", () => {
        this.#forget(folder);
        this.#blind = true;
      });
      this.#folders.set(folder, { watcher, identity });
    } catch {
      this.#blind = true; // the system has no watch left, or none for this folder: the looks go on
    }
  }

  #forget(folder: string): void {
    this.#folders.get(folder)?.watcher.close();
    this.#folders.delete(folder);
  }
}

/** On Deno every event makes a watcher keep the process alive again, whatever was asked for. */
function letGo(watcher: FSWatcher): void {
  try {
    watcher.unref();
  } catch {
    watcher.close(); // it has ended; the looks go on
  }
}

async function fingerprints(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const all = await Promise.all(
    paths.map(async (path) => [path, await fingerprintOf(await readConfigurationText(path))] as const),
  );
  return new Map(all);
}
