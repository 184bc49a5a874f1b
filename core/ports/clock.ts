/**
 * The clock port: the time, and waiting for it.
 *
 * This file decides the shapes only. Nothing in `core/` calls them: there, `now` is an argument; an adapter reads
 * the clock once for each decision and passes the value in.
 *
 * @module
 */

/** Tells the time and waits. */
export interface ClockPort {
  /** Seconds since 1970-01-01T00:00:00Z, with fractions. */
  now(): number;
  /** Resolves after `seconds`, to `false` as soon as `signal` is aborted, else to `true`. Never rejects. */
  sleep(seconds: number, signal?: AbortSignal): Promise<boolean>;
}
