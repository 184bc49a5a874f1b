/**
 * What was seen when the grant was read last: the marker, for whom, and what may be told of the sign-in. Whoever finds
 * the same marker need not read again.
 *
 * What a difference means is decided in `core/enterprise/grant/marker.ts`, what is done about it in `grant_reader.ts`.
 *
 * @module
 */

import type { AuthorizationState, HeldGrant } from "../../../core/enterprise/authorization/state.ts";
import {
  compareMarker,
  type GrantMarker,
  type MarkerVerdict,
} from "../../../core/enterprise/grant/marker.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import type { SignInFacts } from "../../../core/enterprise/status/status.ts";

/** What was seen last. Holds no token. */
export class SeenGrant {
  #seen: { readonly marker: GrantMarker | null; readonly owner: string | null } | null = null;
  #signIn: SignInFacts | null = null;

  /** What is known of the sign-in; `null`: there was none, or it was not read. */
  get signIn(): SignInFacts | null {
    return this.#signIn;
  }

  /** Takes down what was seen for `owner`; `record` `null`: no grant is in force. */
  see(
    marker: GrantMarker | null,
    { record, owner }: { readonly record: GrantRecord | null; readonly owner: string | null },
  ): void {
    this.#seen = { marker, owner };
    this.#signIn = record &&
      { hasRefreshToken: record.refreshToken !== null, idTokenExpiresAt: record.idTokenExpiresAt };
  }

  /** Forgets it: what is stored may be anything. */
  forget(): void {
    this.#seen = null;
  }

  /**
   * What `marker` means for what was read last; `"unknown"`: nothing was, or another account's, or the state has lost
   * since what was found then.
   */
  compare(
    marker: GrantMarker | null,
    { owner, grant }: Pick<AuthorizationState, "owner" | "grant">,
  ): MarkerVerdict | "unknown" {
    const seen = this.#seen;
    if (seen === null || seen.owner !== owner) return "unknown";
    if (grant === null && this.#signIn !== null) return "unknown";
    if (seen.marker === null || marker === null) return seen.marker === marker ? "same" : "replaced";
    return compareMarker(seen.marker, marker);
  }
}

/** The grant as the state names it. */
export function heldGrant(key: string, { generation, revision }: GrantRecord): HeldGrant {
  return { key, owner: key, generation, revision };
}

/** Key of the grant that counts: the host's account's, or the one that the marker names; `null`: none. */
export function keyInForce(
  { ownerFrom, owner }: Pick<AuthorizationState, "ownerFrom" | "owner">,
  marker: GrantMarker | null,
): string | null {
  return ownerFrom === "host" ? owner : marker?.current ?? null;
}
