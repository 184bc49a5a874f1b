/**
 * Waiting for work that has no signal of its own, or that others wait for too. Signals that follow others are in
 * `adapters/async/follow.ts`.
 *
 * @module
 */

/** What one who gives up is told. */
export interface GivingUp {
  /** Makes the error; absent: it is the reason of the signal. */
  readonly error?: () => Error;
}

/**
 * The outcome of `work`, unless `signal` is aborted first: then this rejects, and the work goes on, whatever it comes
 * to. Nothing is begun once the signal is aborted. Without a signal the work is waited for.
 */
export async function unlessAborted<Value>(
  work: () => Promise<Value>,
  signal: AbortSignal | undefined,
  { error }: GivingUp = {},
): Promise<Value> {
  if (signal === undefined) return await work();
  const reason = (): unknown => error === undefined ? signal.reason : error();
  if (signal.aborted) throw reason();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => abort = () => reject(reason()));
  signal.addEventListener("abort", abort);
  const done = work();
  done.catch(() => undefined); // nobody may be waiting for it any more
  try {
    return await Promise.race([done, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
