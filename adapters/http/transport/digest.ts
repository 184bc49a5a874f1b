/**
 * The digest port over Web Crypto, which Deno, Node, Workers and browsers have alike.
 *
 * What is hashed, and how its parts are put together, is decided in `core/enterprise/grant/key.ts`.
 *
 * @module
 */

import type { DigestPort } from "../../../core/ports/digest.ts";

/** Creates the digest. */
export function createDigest(): DigestPort {
  return {
    sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
  };
}
