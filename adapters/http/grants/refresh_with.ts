/**
 * A plain refresh with the stored grant: a rotated refresh token is stored before anything else is looked at, a new
 * ID token after it was checked.
 *
 * The request is `EnterpriseLegs.refresh`; when one is made is decided in `leases/present_subject.ts`
 * and `grant_work.ts`.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { EnterpriseLegs, RenewedIdToken } from "../exchange/legs.ts";
import type { Outcome } from "../exchange/outcome.ts";
import type { OpenGrant } from "./grant_reader.ts";

/** What a refresh needs. */
export interface RefreshWithOptions {
  /** The identity provider. */
  readonly provider: EnterpriseProvider;
  /** Sends. */
  readonly legs: Pick<EnterpriseLegs, "refresh">;
  /** The refresh token. */
  readonly refreshToken: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Refreshes, and stores what came. Needs the lock, which an {@linkcode OpenGrant} stands for. */
export async function refreshWith(
  grant: OpenGrant,
  { provider, legs, refreshToken, signal }: RefreshWithOptions,
): Promise<Outcome<RenewedIdToken>> {
  const outcome = await legs.refresh(provider, {
    refreshToken,
    idToken: grant.record.idToken,
    account: grant.record,
    onRotated: (token) => grant.rotate({ refreshToken: token }),
    signal,
  });
  if (!outcome.succeeded) return outcome;
  const { idToken, expiresAt } = outcome.value;
  if (idToken !== null) await grant.rotate({ idToken: idToken(), idTokenExpiresAt: expiresAt });
  return outcome;
}
