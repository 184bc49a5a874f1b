/**
 * The longest delay that timers take, in every runtime; with a longer one they fire at once.
 *
 * HTML Standard, 8.7 "Timers": the delay is a signed integer of 32 bits.
 *
 * @module
 */

/** Milliseconds, about 24 days and 20 hours. */
export const LONGEST_DELAY_MS = 2_147_483_647;
