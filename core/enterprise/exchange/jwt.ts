/**
 * Takes a token in compact form apart, without verifying it: what a client does with an ID-JAG, which is meant for
 * the authorization server, and with an access token, which is opaque unless it happens to be readable.
 *
 * The signatures of ID tokens are verified by an adapter. What the claims must be is decided in `id_jag.ts` and
 * `identity.ts`. RFC 7515, 7.1; RFC 7516, 7.1; RFC 7519, 7.2.
 *
 * @module
 */

import { JsonError } from "../../errors.ts";
import { isExactText } from "../../json/exact_text.ts";
import { isJsonObject } from "../../json/value.ts";
import { bytesOfBase64url, textOfUtf8 } from "../bytes.ts";

/** An object of a token; only own members count. */
export type JwtObject = Readonly<Record<string, unknown>>;

/** A token, taken apart. */
export type CompactToken =
  /** Signed: three segments. */
  | {
    readonly kind: "signed";
    readonly header: JwtObject;
    readonly claims: JwtObject;
    readonly signed: boolean;
  }
  /** Encrypted: five segments, readable by its recipient alone. */
  | { readonly kind: "encrypted" }
  /** Neither. `part` is what cannot be read. */
  | { readonly kind: "unreadable"; readonly part: "segments" | "header" | "claims" | "signature" };

/** Longest token that is taken apart, in characters. */
const MAX_LENGTH = 65536;

/** Takes `token` apart. `signed` tells whether the third segment holds anything; it is not verified. */
export function readCompactToken(token: string): CompactToken {
  const segments = token.length > MAX_LENGTH ? [] : token.split(".");
  if (segments.length === 5) return { kind: "encrypted" };
  const [first, second, third] = segments;
  if (segments.length !== 3 || first === undefined || second === undefined || third === undefined) {
    return { kind: "unreadable", part: "segments" };
  }
  const header = readSegment(first);
  if (header === null) return { kind: "unreadable", part: "header" };
  const claims = readSegment(second);
  if (claims === null) return { kind: "unreadable", part: "claims" };
  const signature = bytesOfBase64url(third);
  if (signature === null) return { kind: "unreadable", part: "signature" };
  return { kind: "signed", header, claims, signed: signature.length > 0 };
}

/** The object in a segment; `null` when there is none, or a member comes twice (RFC 7515, 4; RFC 7519, 4). */
function readSegment(segment: string): JwtObject | null {
  const bytes = bytesOfBase64url(segment);
  const text = bytes === null ? null : textOfUtf8(bytes);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && !hasDuplicates(text) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError || error instanceof JsonError) {
      return null;
    }
    throw error;
  }
}

/** Whether an object of the JSON text names a member twice, which another reader could read another way. */
function hasDuplicates(text: string): boolean {
  const withoutNumbers = text.replace(
    /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g,
    (token) => token.startsWith('"') ? token : "0",
  );
  return !isExactText(withoutNumbers);
}
