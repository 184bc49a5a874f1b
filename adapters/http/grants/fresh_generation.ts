/**
 * A name that no sign-in, sign-out or change of a marker had before. What it looks like is decided in
 * `core/enterprise/grant/generation.ts`.
 *
 * @module
 */

import { newGeneration } from "../../../core/enterprise/grant/generation.ts";

/** A fresh generation: 128 random bits. */
export function freshGeneration(): string {
  return newGeneration(crypto.getRandomValues(new Uint8Array(16)));
}
