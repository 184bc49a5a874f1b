/**
 * The lock between processes, the same for both runtimes: `LockFile` of `@rushstack/node-core-library`. Every process
 * that wants it has a file of its own, which holds when the process started. Nobody removes the file of a process that
 * lives, however long it does not move; that of a dead one is passed over and cleared away, also when its number was
 * given to another process.
 *
 * This file decides how long is waited. What is done under the lock is decided in `grant_store.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../core/enterprise/error.ts";
import { rest } from "./_deadline.ts";
import { unusable } from "./state_folder.ts";

/** What is used of the package. */
export interface LockModule {
  /** Takes the lock of this name in a folder; `undefined` when someone has it. */
  readonly LockFile: { tryAcquire(folder: string, name: string): { release(): void } | undefined };
}

/** Which lock, and how long to wait for it. */
export interface LockOptions {
  /** The folder of the locks, which is there. */
  readonly folder: string;
  /** Name of the lock: letters and digits. */
  readonly name: string;
  /** Seconds to wait at most. */
  readonly seconds: number;
  /** Gives up. */
  readonly signal: AbortSignal;
  /** Loads the package, when it is needed first. */
  readonly load: () => Promise<LockModule>;
}

/**
 * Takes the lock; call what is returned to let it go. In one process too, only one has it at a time.
 *
 * @throws {EnterpriseError} `LOCK_TIMEOUT` when someone else has it for too long, or `signal` is aborted.
 * @throws {EnterpriseError} `MARKER_MALFORMED` when the folder cannot hold a lock.
 */
export async function acquireLock(options: LockOptions): Promise<() => void> {
  const { folder, name, seconds, signal } = options;
  const { LockFile } = await loadModule(options);
  const end = performance.now() / 1000 + seconds;
  for (let pause = 0.004;; pause = Math.min(pause * 1.5, 0.06)) {
    if (signal.aborted) throw timeout("the waiting was given up");
    const lock = tryLock(() => LockFile.tryAcquire(folder, name), folder);
    if (lock !== undefined) return () => lock.release();
    const left = end - performance.now() / 1000;
    if (left <= 0) throw timeout("another process holds its lock");
    await rest(Math.min(left, pause * (0.5 + Math.random())), signal);
  }
}

async function loadModule({ folder, load }: LockOptions): Promise<LockModule> {
  try {
    return await load();
  } catch (error) {
    throw unusable(folder, "the module @rushstack/node-core-library is not installed", error);
  }
}

function tryLock<T>(take: () => T, folder: string): T {
  try {
    return take();
  } catch (error) {
    throw unusable(folder, "it cannot hold a lock", error);
  }
}

function timeout(state: string): EnterpriseError {
  return new EnterpriseError("LOCK_TIMEOUT", `Cannot use the stored sign-in: ${state}`);
}
