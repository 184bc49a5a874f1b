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
   * A fresh name, of the form of a generation, for the last time that something ended although `current` and
   * `generation` stay: another account's sign-in, or a grant that was deleted. A rotation keeps it. Absent: never yet.
   */
  readonly change?: string;
  /**
   * Keys of the only grants that count, all others are void. Stands there since a marker that could not be read was
   * replaced: nobody knows what that one had voided. Absent: every grant that is not void counts.
   */
  readonly only?: readonly string[];
  /**
   * Keys of grants that a sign-out ended and that may still be in the keyring: void, and deleted by the next sign-in or
   * sign-out that can. Absent: none.
   */
  readonly voided?: readonly string[];
}

/** Writes the marker. */
export function writeMarker({ current, generation, revision, change, only, voided }: GrantMarker): string {
  return JSON.stringify({ version: 1, current, generation, revision, change, only, ...listOf(voided) });
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
  const change = ownProperty(value, "change");
  const only = ownProperty(value, "only");
  const voided = ownProperty(value, "voided") ?? [];
  const whole = ownProperty(value, "version") === 1 && (current === null || isKey(current)) &&
    isGeneration(generation) && isRevision(revision) && (change === undefined || isGeneration(change)) &&
    (only === undefined || isKeys(only)) && isKeys(voided);
  if (!whole) throw malformed();
  return {
    current,
    generation,
    revision,
    ...(change === undefined ? {} : { change }),
    ...(only === undefined ? {} : { only }),
    ...listOf(voided),
  };
}

/** Whether `marker` says that the grant with this key is void, whatever the keyring holds. */
export function isVoid({ only, voided }: GrantMarker, key: string): boolean {
  return voided?.includes(key) === true || only !== undefined && !only.includes(key);
}

/** A marker as it was found; `null`: there is none. `"damaged"`: nobody knows what it had voided. */
export type MarkerBefore = GrantMarker | "damaged" | null;

/**
 * What the marker says once the sign-in of `key` was ended; `null`: of nobody. Another account's stays in force, and
 * everyone looks again. `generation` is a fresh one.
 */
export function endedMarker(
  before: MarkerBefore,
  { key, generation }: { readonly key: string | null; readonly generation: string },
): GrantMarker {
  const known = before === "damaged" ? null : before;
  const others = (known?.voided ?? []).filter((one) => one !== key);
  const list = listOf(key === null ? others : [key, ...others]);
  const foreign = known !== null && known.current !== null && known.current !== key;
  if (foreign) return { ...known, change: generation, ...list };
  return { current: null, generation, revision: 0, ...onlyOf(before), ...list };
}

/** What the marker says once `signedIn` was stored under `key`; `left`: the void grants that are still there. */
export function signedInMarker(
  before: MarkerBefore,
  { key, signedIn, left }: {
    readonly key: string;
    readonly signedIn: Pick<GrantMarker, "generation" | "revision">;
    readonly left: readonly string[];
  },
): GrantMarker {
  const { generation, revision } = signedIn;
  const { only } = onlyOf(before);
  const counted = only === undefined ? {} : { only: [...only.filter((one) => one !== key), key] };
  return { current: key, generation, revision, ...counted, ...listOf(left) };
}

/**
 * What the marker says while the grant of `key` is being deleted: that it is void. `change` is a fresh one. The
 * revision is one that nobody remembers.
 */
export function deletedMarker(
  before: GrantMarker,
  { key, change }: { readonly key: string; readonly change: string },
): GrantMarker {
  const others = (before.voided ?? []).filter((one) => one !== key);
  const revision = before.revision + (before.current === key ? 1 : 0);
  return { ...before, revision, change, voided: [key, ...others] };
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

function isKeys(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isKey);
}

function onlyOf(before: MarkerBefore): Pick<GrantMarker, "only"> {
  if (before === "damaged") return { only: [] };
  return before?.only === undefined ? {} : { only: before.only };
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
  /**
   * Somebody signed in or out, or a grant was deleted: read the keyring again. What is held stays good only if the
   * marker names exactly that, or the keyring still holds it.
   */
  | "replaced";

/** Compares what is held with what the marker says. */
export function compareMarker(held: GrantMarker, marker: GrantMarker): MarkerVerdict {
  const same = held.current === marker.current && held.generation === marker.generation &&
    held.change === marker.change;
  if (!same) return "replaced";
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
