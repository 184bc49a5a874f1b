/**
 * How long a server that failed is left alone.
 *
 * @module
 */

/** Seconds after which a connection counts as healthy: what it failed before does not count any more. */
export const HEALTHY_SECONDS = 30;

/** The longest pause, in seconds. */
export const LONGEST_PAUSE = 30;

const FIRST_PAUSE = 0.25;

/**
 * Seconds until the next attempt after so many failures in a row: 250 ms, doubled with each up to 30 s; of that
 * at least the half, so that servers which failed together are not started together.
 *
 * @param failures At least 1.
 * @param random From 0 up to 1.
 */
export function pauseAfter(failures: number, random: number): number {
  const whole = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures - 1, 16));
  return whole / 2 + whole / 2 * random;
}
