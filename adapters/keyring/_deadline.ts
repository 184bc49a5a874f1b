/**
 * Waiting for something that may never come: work that cannot be stopped is left behind at a deadline or when the
 * caller gives up, and whatever it says later is dropped.
 *
 * @module
 */

/** How long to wait. */
export interface DeadlineOptions {
  /** Gives up. */
  readonly signal: AbortSignal;
  /** Gives up after so many seconds. */
  readonly seconds: number;
  /** Makes the error for both. */
  readonly expired: () => Error;
}

/** The outcome of `work`, or the error of `expired`. */
export function within<T>(work: Promise<T>, { signal, seconds, expired }: DeadlineOptions): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    const giveUp = (): void => {
      forget();
      reject(expired());
    };
    const timer = setTimeout(giveUp, seconds * 1000);
    signal.addEventListener("abort", giveUp);
    work.then(resolve, reject).finally(forget);
    if (signal.aborted) giveUp();
  });
}

/** Resolves after so many seconds, or as soon as `signal` is aborted. */
export function rest(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, seconds * 1000);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
