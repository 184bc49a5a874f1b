/**
 * Signals that end with another one, or after a time. They hold on to nothing once the work is over: no timer is left
 * behind, and no listener at a signal that lives longer than the request.
 *
 * How long a request may take is decided by whoever makes it; what an aborted request becomes in
 * `adapters/http/transport/http.ts`.
 *
 * @module
 */

import { follow } from "./follow.ts";
import { LONGEST_DELAY_MS } from "./longest_delay.ts";

/** How long work may take. */
export interface DeadlineOptions {
  /** After how many seconds it is ended. */
  readonly seconds: number;
  /** Ends it before; absent: nothing does. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does `work` with a signal that is aborted with `signal`, and after `seconds` with a `TimeoutError`. What `work`
 * resolves to or rejects with comes through. `AbortSignal.timeout` would leave its timer behind, and a Worker may have
 * no more than 10,000.
 */
export async function withinSeconds<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { seconds, signal }: DeadlineOptions,
): Promise<Result> {
  const { controller, stop } = follow(...(signal === undefined ? [] : [signal]));
  const expire = (): void => controller.abort(new DOMException("The deadline passed", "TimeoutError"));
  const timer = setTimeout(expire, Math.min(Math.max(0, seconds * 1000), LONGEST_DELAY_MS));
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    stop();
  }
}
