/**
 * How a process group ends: asked first, then without a choice.
 *
 * This file decides the order and the waiting. `run.ts` decides when a group has to end; the
 * process port sends the signals.
 *
 * @module
 */

import type { ChildProcess } from "../../core/ports/process.ts";
import { LONGEST_DELAY_MS } from "../async/longest_delay.ts";

/** Between two looks at a group that is ending. */
const FIRST_LOOK_MS = 2;
const LONGEST_LOOK_MS = 40;

/** How long a group may take to end. */
export interface EndGroupOptions {
  /** Milliseconds from TERM to KILL. Both come sooner when nothing of the group is left. */
  readonly graceMs: number;
  /** Milliseconds that are waited for the group to be gone after KILL. */
  readonly reapMs: number;
}

/**
 * Ends the group of `child`: TERM, then KILL after the grace whatever its leader did, at once when all have ended.
 * Resolves when no process of the group is left, or after `graceMs + reapMs`: a process in an uninterruptible
 * wait, one of another user, or one that has ended and that nobody reaps can stay longer. A process that left the
 * group with `setsid` is not reached.
 */
export async function endGroup(child: ChildProcess, { graceMs, reapMs }: EndGroupOptions): Promise<void> {
  if (!child.kill("SIGTERM")) return;
  await isGone(child, graceMs);
  if (child.kill("SIGKILL")) await isGone(child, reapMs);
}

/** `promise`'s value, or `undefined` when it took longer than `ms`. No timer is left behind. */
export async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.min(ms, LONGEST_DELAY_MS));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the group is gone, looked at for `ms` milliseconds and at least once. */
async function isGone(child: ChildProcess, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  for (let pause = FIRST_LOOK_MS; child.alive(); pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
    const left = end - performance.now();
    if (left <= 0) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)));
  }
  return true;
}
