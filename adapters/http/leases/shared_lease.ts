/**
 * A lease as several processes share it: what is written of it, and what is read back. Whatever is not exactly one is
 * none. It is written before it is encrypted and read after it was decrypted, in `lease_seal.ts`.
 *
 * How long a lease lives is decided in `core/enterprise/lease.ts`.
 *
 * @module
 */

import { isEpochSeconds } from "../../../core/enterprise/epoch.ts";
import { type LeaseLife, MAX_LEASE_SECONDS } from "../../../core/enterprise/lease.ts";
import { ownProperty } from "../../../core/json/value.ts";

/** A lease that is shared. Holds the access token, and never another one: never print it. */
export interface SharedLease extends LeaseLife {
  /** Its name, the same in all processes: 36 characters of a UUID. */
  readonly id: string;
  /** The access token. */
  readonly token: string;
}

/** Writes `lease`. */
export function writeSharedLease({ id, token, receivedAt, expiresAt }: SharedLease): string {
  return JSON.stringify({ id, token, receivedAt, expiresAt });
}

/** Reads a lease; `null` when `text` is none, or one that lives longer than any may. */
export function readSharedLease(text: string): SharedLease | null {
  const value = parse(text);
  const id = ownProperty(value, "id");
  const token = ownProperty(value, "token");
  const receivedAt = ownProperty(value, "receivedAt");
  const expiresAt = ownProperty(value, "expiresAt");
  if (typeof id !== "string" || !/^[0-9a-f-]{36}$/.test(id)) return null;
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) return null;
  if (!isEpochSeconds(receivedAt) || !isEpochSeconds(expiresAt)) return null;
  const life = expiresAt - receivedAt;
  return life > 0 && life <= MAX_LEASE_SECONDS ? { id, token, receivedAt, expiresAt } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the parser's own error would quote the token
  }
}
