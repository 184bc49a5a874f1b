/**
 * A lock in a secret store, for work that must not overlap on several machines. Whoever holds it writes it anew again
 * and again; whoever wants it takes it over when it did not change for a while by their own clock, so that no two
 * clocks are compared and a machine that died is not waited for forever. Whoever lost it is told, its writes compare
 * too, and it leaves the lock of whoever has it alone.
 *
 * What is done under it is decided in `shared_grant_source.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { SecretStore } from "../../../core/ports/secret_store.ts";
import { withinSeconds } from "../../async/deadline.ts";
import { unlessAborted } from "../../async/unless_aborted.ts";
import { SecretItems } from "./secret_items.ts";

/** How long a lock that does not change is respected, in seconds. */
const DEAD_SECONDS = 10;

/** How often its holder changes it, in seconds. */
const SIGN_SECONDS = 3;

/** How long giving it back may take, in seconds. */
const GIVE_BACK_SECONDS = 5;

/** How long between two looks at first, in seconds. It doubles. */
const FIRST_PAUSE = 0.02;

/** How long between two looks at most, in seconds. */
const LONGEST_PAUSE = 0.5;

/** Which lock, and how it is waited for. */
export interface SecretLockOptions {
  /** The store. */
  readonly store: SecretStore;
  /** Its name there. */
  readonly name: string;
  /** How long it is waited for, in seconds. */
  readonly seconds: number;
  /** Tells the time, and waits. */
  readonly clock: ClockPort;
  /** Ends the waiting, also for a store that does not let the lock be given back. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work` while the lock is held. Its signal is aborted when the lock is lost or given back.
 *
 * @throws {EnterpriseError} `LOCK_TIMEOUT` when someone else holds it for too long, or `signal` is aborted.
 * @throws {EnterpriseError} `KEYRING_LOCKED` with reason `secret-store` when the store fails or is silent.
 */
export async function withSecretLock<Result>(
  work: (held: AbortSignal) => Promise<Result>,
  options: SecretLockOptions,
): Promise<Result> {
  const items = new SecretItems(options.store);
  await acquire(items, options);
  const over = new AbortController();
  const lost = new AbortController();
  const signing = sign(items, { ...options, over: over.signal, lost });
  try {
    return await work(lost.signal);
  } finally {
    over.abort();
    await signing;
    const ours = !lost.signal.aborted;
    lost.abort();
    const free = ours ? giveBack(items, options) : Promise.resolve();
    await unlessAborted(() => free, options.signal).catch(() => undefined); // the work is done, whatever becomes of it
  }
}

/** Takes the lock away if it is this work's. One that cannot be given back is taken over. */
async function giveBack(items: SecretItems, { name }: Pick<SecretLockOptions, "name">): Promise<void> {
  await withinSeconds((within) => items.write(name, null, within), { seconds: GIVE_BACK_SECONDS })
    .catch(() => false);
}

async function acquire(items: SecretItems, options: SecretLockOptions): Promise<void> {
  const { name, seconds, clock, signal } = options;
  let last: string | null = null;
  let unchanged = 0;
  let pause = FIRST_PAUSE;
  for (let waited = 0; waited < seconds && !signal.aborted; waited += pause) {
    const text = await items.read(name, signal);
    unchanged = text === last ? unchanged : 0;
    last = text;
    const free = text === null || unchanged >= DEAD_SECONDS;
    if (free && await claim(items, options)) return;
    pause = Math.min(pause * 2, LONGEST_PAUSE) * (0.75 + Math.random() / 4);
    if (!await clock.sleep(pause, signal)) break;
    unchanged += pause;
  }
  const state = signal.aborted ? "the caller gave up" : "another process holds it for too long";
  throw new EnterpriseError("LOCK_TIMEOUT", `Cannot wait for the lock of the sign-in: ${state}`);
}

async function claim(items: SecretItems, options: SecretLockOptions): Promise<boolean> {
  try {
    return await items.write(options.name, freshText(), options.signal);
  } catch (error) {
    // it may be there all the same, and nobody waits for that
    giveBack(items, options);
    throw error;
  }
}

interface Signing extends Pick<SecretLockOptions, "name" | "clock"> {
  readonly over: AbortSignal;
  readonly lost: AbortController;
}

/** Shows again and again that the holder lives. */
async function sign(items: SecretItems, { name, clock, over, lost }: Signing): Promise<void> {
  while (await clock.sleep(SIGN_SECONDS, over)) {
    // a store that does not answer is tried again: the lock is lost when somebody else has it
    const signed = await items.write(name, freshText(), over).catch(() => true);
    if (!signed) return lost.abort();
  }
}

/** A text that no other write has. Tells nothing. */
function freshText(): string {
  return crypto.randomUUID();
}
