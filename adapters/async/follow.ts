/**
 * Signals that follow others, for work that several may end.
 *
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
