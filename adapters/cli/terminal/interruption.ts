/**
 * Being interrupted: a signal to this process, or output that nobody takes any more.
 *
 * @module
 */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** This process was told to end while it worked; the message says by what. */
export class InterruptedError extends Error {
  /** Survives minification. */
  override readonly name = "InterruptedError";
  /** For programs. */
  readonly code = "INTERRUPTED";
  /** Name of the signal; `null`: output cannot be written. */
  readonly signal: string | null;

  /** Takes what told this process to end. */
  constructor(message: string, signal: string | null) {
    super(message);
    this.signal = signal;
  }
}

/** The error for `what` told this process to end: the name of a signal, else what happened. */
export function interruptedBy(what: string, signal: string | null): InterruptedError {
  return new InterruptedError(`Interrupted: ${what}; the command was ended.`, signal);
}

/**
 * Runs `work` with a signal that aborts when this process is told to end. Rejects with an {@linkcode InterruptedError}
 * once `work` has ended after that, however it ended.
 */
export async function interruptible<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const interrupted = new AbortController();
  const stop = (what: string, signal: string | null): void => {
    interrupted.abort(interruptedBy(what, signal));
  };
  const onSignal = (signal: string): void => stop(signal, signal);
  const onBroken = (): void => stop("output cannot be written", null);
  for (const signal of SIGNALS) globalThis.process.on(signal, onSignal);
  for (const stream of [globalThis.process.stdout, globalThis.process.stderr]) stream.on("error", onBroken);
  try {
    const value = await work(interrupted.signal);
    interrupted.signal.throwIfAborted();
    return value;
  } catch (error) {
    interrupted.signal.throwIfAborted();
    throw error;
  } finally {
    for (const signal of SIGNALS) globalThis.process.off(signal, onSignal);
    for (const stream of [globalThis.process.stdout, globalThis.process.stderr]) {
      stream.off("error", onBroken);
    }
  }
}
