/**
 * Points in time as tokens and records give them, in epoch seconds: which numbers are one at all, and how one is
 * written for people. A number beyond every calendar date is none: whoever wrote it meant something else.
 *
 * What a missing or a passed time means is decided where it is read. RFC 7519, 2 (NumericDate); ECMA-262, 21.4.1.1.
 *
 * @module
 */

/** The last second that a date can name. */
export const MAX_EPOCH_SECONDS = 8_640_000_000_000;

/** Whether `value` is a point in time from 1970 on that a date can name. */
export function isEpochSeconds(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_EPOCH_SECONDS;
}

/**
 * `seconds` as date and time in UTC; `"an unknown time"` when it is no point in time.
 *
 * @example
 * ```ts
 * import { epochText } from "./epoch.ts";
 *
 * console.log(epochText(1_785_283_200)); // 2026-07-29T00:00:00.000Z
 * console.log(epochText(1e300)); // an unknown time
 * ```
 */
export function epochText(seconds: number): string {
  return isEpochSeconds(seconds) ? new Date(seconds * 1000).toISOString() : "an unknown time";
}
