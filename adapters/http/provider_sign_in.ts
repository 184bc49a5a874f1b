/**
 * Signing in and out while a host runs: the result of a sign-in is committed only if nothing changed since it began,
 * and a sign-out says what it could not do.
 *
 * How a person signs in is in `sign_in/`; what is revoked by it is decided in `core/enterprise/authorization/`.
 *
 * @module
 */

import { tagOf } from "../../core/enterprise/authorization/tag.ts";
import type { EnterpriseProvider } from "../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../core/enterprise/error.ts";
import { grantKey } from "../../core/enterprise/grant/key.ts";
import { type GrantRecord, writeGrant } from "../../core/enterprise/grant/record.ts";
import type { DigestPort } from "../../core/ports/digest.ts";
import type { Authorization } from "./authorization.ts";
import { heldGrant } from "./grant_reader.ts";
import type { GrantOutcome } from "./grant_work.ts";

/** What a sign-in is committed with. */
export interface SignInContext {
  /** The identity provider. */
  readonly provider: EnterpriseProvider;
  /** The state. */
  readonly authorization: Authorization;
  /** Computes digests. */
  readonly digest: DigestPort;
}

/**
 * Runs `work` and stores what it gives.
 *
 * @throws {EnterpriseError} `SUPERSEDED` when something changed meanwhile, or it is not the account's own sign-in.
 * @throws {EnterpriseError} `GRANT_TOO_LARGE` when it does not fit; what was in force stays.
 * @throws {EnterpriseError} `KEYRING_LOCKED` when it cannot be stored.
 */
export async function signIn(
  work: (signal: AbortSignal) => Promise<GrantRecord>,
  { provider, authorization, digest }: SignInContext,
): Promise<void> {
  const tag = tagOf(authorization.state, null);
  const never = new AbortController().signal;
  const effect = await authorization.pending(never, async (signal, release) => {
    const record = await work(signal);
    writeGrant(record);
    const { user, workspace } = record;
    const { issuer, client: { clientId } } = provider;
    const key = await grantKey({ owner: { user, workspace }, issuer, clientId }, digest);
    release();
    const effects = authorization.dispatch({ kind: "signed-in", tag, grant: heldGrant(key, record) }, record);
    return effects.find(({ kind }) => kind === "store-grant");
  });
  if (effect === undefined) {
    const state = "something changed meanwhile, or it is another account's";
    throw new EnterpriseError("SUPERSEDED", `Cannot use the sign-in: ${state}`);
  }
  await authorization.settled();
  const outcome = authorization.grant.outcomeOf(effect);
  if (outcome instanceof EnterpriseError) throw outcome;
}

/** What a sign-out did. Each is `null` when there was nothing to do. */
export interface SignOutReport {
  /** Revocation at the identity provider; `"not-offered"`: it offers none, or there was nothing to revoke. */
  readonly revoked: GrantOutcome | null;
  /** Deletion from the keyring. */
  readonly deleted: GrantOutcome | null;
}

/** Signs out, under a fresh `generation`. */
export async function signOut(authorization: Authorization, generation: string): Promise<SignOutReport> {
  const effects = authorization.dispatch({ kind: "signed-out", generation });
  await authorization.settled();
  const outcome = (wanted: string): GrantOutcome | null => {
    const effect = effects.find(({ kind }) => kind === wanted);
    return effect === undefined ? null : authorization.grant.outcomeOf(effect) ?? null;
  };
  return { revoked: outcome("revoke-tokens"), deleted: outcome("delete-grant") };
}
