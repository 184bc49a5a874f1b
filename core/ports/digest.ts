/**
 * The digest port: SHA-256, which every runtime has and the language has not.
 *
 * This file decides the shape only. `core/enterprise/bytes.ts` says what is hashed; an adapter answers with the
 * runtime's Web Crypto.
 *
 * @module
 */

/** Computes digests. */
export interface DigestPort {
  /** The 32 bytes of the SHA-256 digest of `bytes`. */
  sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}
