/**
 * The marker: a small file without secrets beside the lock, one for each client of an identity provider. It says which
 * account is the current one and which generation and revision of its grant are in force. It is read before every use
 * of a bearer: changed means that the keyring must be read again, unreadable means that nothing may be used.
 *
 * What a change does is decided in `authorization/transition.ts`; the file itself is an adapter's.
 *
 * @module
 */

import { ownProperty } from "../../json/value.ts";
import { EnterpriseError } from "../error.ts";
import { isGeneration, isRevision } from "./generation.ts";

/** What the marker says. */
export interface GrantMarker {
  /** Key of the grant of the current account; `null`: nobody is signed in. */
  readonly current: string | null;
  /** The generation in force. Also after a sign-out, so that it is seen. */
  readonly generation: string;
  /** The revision in force. */
  readonly revision: number;
  /**
   * Keys of grants that a sign-out ended and that may still be in the keyring: void, and deleted by the next sign-in or
   * sign-out that can. Absent: none.
   */
  readonly voided?: readonly string[];
}

/** Writes the marker. */
export function writeMarker({ current, generation, revision, voided }: GrantMarker): string {
  return JSON.stringify({ version: 1, current, generation, revision, ...listOf(voided) });
}

/**
 * Reads the marker. Members that are not known are passed over.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when `text` is no marker of this version.
 */
export function readMarker(text: string): GrantMarker {
  const value = parse(text);
  const current = ownProperty(value, "current");
  const generation = ownProperty(value, "generation");
  const revision = ownProperty(value, "revision");
  const voided = ownProperty(value, "voided") ?? [];
  const known = (current === null || isKey(current)) && Array.isArray(voided) && voided.every(isKey);
  if (ownProperty(value, "version") === 1 && known && isGeneration(generation) && isRevision(revision)) {
    return { current, generation, revision, ...listOf(voided) };
  }
  throw malformed();
}

/** What the marker says once the sign-in of `key` was ended; `null`: of nobody. Another account's stays in force. */
export function endedMarker(
  before: GrantMarker | null,
  { key, generation }: { readonly key: string | null; readonly generation: string },
): GrantMarker {
  const others = (before?.voided ?? []).filter((one) => one !== key);
  const list = listOf(key === null ? others : [key, ...others]);
  const foreign = before !== null && before.current !== null && before.current !== key;
  // another revision makes everyone look, and whoever looks finds the same sign-in
  if (foreign) return { ...before, revision: before.revision + 1, ...list };
  return { current: null, generation, revision: 0, ...list };
}

/** The marker with another list of void grants. */
export function withVoided(
  { voided: _, ...marker }: GrantMarker,
  voided: readonly string[] | undefined,
): GrantMarker {
  return { ...marker, ...listOf(voided) };
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function listOf(voided: readonly string[] = []): Pick<GrantMarker, "voided"> {
  return voided.length === 0 ? {} : { voided };
}

/** What the marker means for someone who holds a grant. */
export type MarkerVerdict =
  /** Nothing changed. */
  | "same"
  /** The tokens of the same sign-in were renewed: read the keyring again, keep leases and threads. */
  | "rotated"
  /** Another sign-in, a sign-out or another account: read the keyring again; what was held is void. */
  | "replaced";

/** Compares what is held with what the marker says. */
export function compareMarker(held: GrantMarker, marker: GrantMarker): MarkerVerdict {
  if (held.current !== marker.current || held.generation !== marker.generation) return "replaced";
  return held.revision === marker.revision ? "same" : "rotated";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

function malformed(): EnterpriseError {
  return new EnterpriseError(
    "MARKER_MALFORMED",
    "Cannot read the marker of the sign-in: it is damaged. Sign in again.",
  );
}
