/**
 * The signal of what must be finished, where a signal is asked for. What has a time limit has one of its own.
 *
 * @module
 */

/** A signal that is never aborted. */
export function never(): AbortSignal {
  return new AbortController().signal;
}
