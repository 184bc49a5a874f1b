/**
 * Grants for the tests of the keyring.
 *
 * @module
 */

import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";

/** Key of the one grant. */
export const KEY: string = "ab".repeat(32);

/** A sign-in that holds this refresh token. */
export function signInRecord(refreshToken: string): GrantRecord {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return {
    issuer: "https://idp.example",
    clientId: "client",
    user: "user",
    workspace: null,
    subject: "subject",
    generation: [...random].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
    revision: 0,
    refreshToken,
    idToken: null,
    idTokenExpiresAt: null,
    signedInAt: 1_700_000_000,
    others: {},
  };
}
