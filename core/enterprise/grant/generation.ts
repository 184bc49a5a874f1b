/**
 * The generation of a grant: a fresh 128-bit random name at each sign-in and each sign-out. A rotated refresh token
 * keeps the generation and changes only the revision. Whoever holds something of an older generation holds nothing.
 *
 * Where both are kept is decided in `record.ts` and `marker.ts`; the random bytes are an adapter's.
 *
 * @module
 */

import { hexOf } from "../bytes.ts";
import { EnterpriseError } from "../error.ts";

/**
 * The generation of 16 random bytes: 32 hexadecimal characters.
 *
 * @throws {EnterpriseError} `RANDOM_MALFORMED` when there are not 16 bytes, or all are the same.
 *
 * @example
 * ```ts
 * import { newGeneration } from "./generation.ts";
 *
 * console.log(newGeneration(crypto.getRandomValues(new Uint8Array(16))).length); // 32
 * ```
 */
export function newGeneration(random: Uint8Array): string {
  if (random.length === 16 && new Set(random).size > 1) return hexOf(random);
  throw new EnterpriseError(
    "RANDOM_MALFORMED",
    `Cannot make a generation of ${random.length} bytes: it takes 16 random ones`,
  );
}

/** Whether `value` is a generation. */
export function isGeneration(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
}

/** Whether `value` is a revision: 0 at a sign-in, one more at each rotation. */
export function isRevision(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
