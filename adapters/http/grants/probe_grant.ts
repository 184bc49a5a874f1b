/**
 * A plain refresh that finds out whether a grant in doubt still stands. Only its own `invalid_grant` says that the
 * grant ended; everything else leaves it open.
 *
 * When one is due and what its outcome does is decided in `core/enterprise/authorization/`.
 *
 * @module
 */

import type { AuthorizationEvent } from "../../../core/enterprise/authorization/event.ts";
import type { OpenGrant } from "./grant_reader.ts";
import { refreshWith, type RefreshWithOptions } from "./refresh_with.ts";

/** What a plain refresh says about the grant. */
export type GrantProbe = Extract<AuthorizationEvent, { readonly kind: "grant-probed" }>["outcome"];

/** Tries a plain refresh. Needs the lock, which an {@linkcode OpenGrant} stands for. */
export async function probeGrant(
  grant: OpenGrant,
  options: Omit<RefreshWithOptions, "refreshToken">,
): Promise<GrantProbe> {
  const { refreshToken } = grant.record;
  if (refreshToken === null) return "no-refresh-token";
  const refreshed = await refreshWith(grant, { ...options, refreshToken });
  if (refreshed.succeeded) return "standing";
  const { meaning, oauth } = refreshed.failure;
  return meaning === "grant-in-doubt" && oauth?.code === "invalid_grant" ? "refused" : "unavailable";
}
