/**
 * Signals that end with another one, or after a time. They hold on to nothing once the work is over: no timer is left
 * behind, and no listener at a signal that lives longer than the request.
 *
 * How long a request may take is decided by whoever makes it; what an aborted request becomes in `http.ts`.
 * `AbortSignal.any` is not used: Node 20 can forget such a signal before it is aborted.
 *
 * @module
 */

/** A controller that is aborted together with the signals it follows. */
export interface Follower {
  /** Its own signal is what the work is given. */
  readonly controller: AbortController;
  /** Ends the following. Call it when the work is over. */
  readonly stop: () => void;
}

/** A controller that is aborted, for the same reason, as soon as one of `signals` is. */
export function follow(...signals: readonly AbortSignal[]): Follower {
  const controller = new AbortController();
  const listeners = signals.map((signal): readonly [AbortSignal, () => void] => [
    signal,
    () => controller.abort(signal.reason),
  ]);
  for (const [signal, abort] of listeners) {
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  }
  return {
    controller,
    stop: () => {
      for (const [signal, abort] of listeners) signal.removeEventListener("abort", abort);
    },
  };
}

/** How long work may take. */
export interface DeadlineOptions {
  /** After how many seconds it is ended. */
  readonly seconds: number;
  /** Ends it before. */
  readonly signal: AbortSignal;
}

/** The longest delay that timers take, in milliseconds. */
const MAX_DELAY = 2_147_483_647;

/**
 * Does `work` with a signal that is aborted with `signal`, and after `seconds` with a `TimeoutError`. What `work`
 * resolves to or rejects with comes through.
 */
export async function withinSeconds<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { seconds, signal }: DeadlineOptions,
): Promise<Result> {
  const { controller, stop } = follow(signal);
  const expire = (): void => controller.abort(new DOMException("The deadline passed", "TimeoutError"));
  const timer = setTimeout(expire, Math.min(Math.max(0, seconds * 1000), MAX_DELAY));
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    stop();
  }
}
