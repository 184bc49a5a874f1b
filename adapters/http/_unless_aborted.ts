/**
 * Waiting for work that has no signal of its own, or that others wait for too.
 *
 * @module
 */

/** `work`'s outcome, unless `signal` is aborted first: then this rejects with its reason, and the work goes on. */
export async function unlessAborted<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => abort = () => reject(signal.reason));
  signal.addEventListener("abort", abort);
  const done = work();
  done.catch(() => undefined); // nobody may be waiting for it any more
  try {
    return await Promise.race([done, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
