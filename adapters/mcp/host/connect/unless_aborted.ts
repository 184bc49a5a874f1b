/**
 * Waiting for work that others wait for too.
 *
 * @module
 */

/** `work`'s outcome, unless `signal` is aborted first: then this rejects with its reason, and the work goes on. */
export async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => abort = () => reject(signal.reason));
  signal.addEventListener("abort", abort);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
