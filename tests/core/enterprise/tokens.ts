/**
 * Tokens for tests, put together from their parts, and SHA-256 from the runtime. Nothing here is signed by anyone.
 *
 * @module
 */

import type { DigestPort } from "../../../core/ports/digest.ts";

/** base64url of the UTF-8 of `text`. */
export function base64url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A token in compact form with these parts; a string part is taken as it is. */
export function compactToken(
  { header = { alg: "RS256", typ: "oauth-id-jag+jwt" }, claims = {}, signature = "c2ln" }: {
    readonly header?: unknown;
    readonly claims?: unknown;
    readonly signature?: string;
  } = {},
): string {
  const part = (value: unknown): string =>
    base64url(typeof value === "string" ? value : JSON.stringify(value));
  return `${part(header)}.${part(claims)}.${signature}`;
}

/** The runtime's own SHA-256. */
export const SHA256: DigestPort = {
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
};
