/**
 * Signing in and out while a host runs: the result of a sign-in is committed only if nothing changed since it began,
 * and a sign-out says what it could not do. A sign-out voids first what is in memory and what is stored, then deletes
 * it, and asks the identity provider last (RFC 7009), without a lock: nothing waits for its answer.
 *
 * How a person signs in is in `sign_in/`; what is revoked by it is decided in `core/enterprise/authorization/`.
 *
 * @module
 */

import { tagOf } from "../../../core/enterprise/authorization/tag.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { grantKey } from "../../../core/enterprise/grant/key.ts";
import { type GrantRecord, writeGrant } from "../../../core/enterprise/grant/record.ts";
import type { DigestPort } from "../../../core/ports/digest.ts";
import { never } from "../../async/never.ts";
import type { Authorization } from "../authorization/authorization.ts";
import type { EnterpriseLegs } from "../exchange/legs.ts";
import type { EndedSignIn, GrantSource } from "../grants/grant_source.ts";
import type { GrantOutcome } from "../grants/grant_work.ts";
import { heldGrant } from "../grants/seen_grant.ts";
import { currentSignIn } from "../grants/store_sign_in.ts";

/** What a sign-in is committed with. */
export interface SignInContext {
  /** The identity provider. */
  readonly provider: EnterpriseProvider;
  /** The state. */
  readonly authorization: Authorization;
  /** Where it is stored. */
  readonly source: Pick<GrantSource, "marker">;
  /** Computes digests. */
  readonly digest: DigestPort;
}

/**
 * Runs `work` and stores what it gives. What another process did to the sign-in meanwhile counts as a change too.
 *
 * @throws {EnterpriseError} `SUPERSEDED` when something changed meanwhile, or it is not the account's own sign-in.
 * @throws {EnterpriseError} `GRANT_TOO_LARGE` when it does not fit; what was in force stays.
 * @throws {EnterpriseError} `KEYRING_LOCKED` when it cannot be stored.
 */
export async function signIn(
  work: (signal: AbortSignal) => Promise<GrantRecord>,
  { provider, authorization, source, digest }: SignInContext,
): Promise<void> {
  const tag = tagOf(authorization.state, null);
  const effect = await authorization.pending(never(), async (signal, release) => {
    const began = await currentSignIn(source.marker(signal));
    const record = await work(signal);
    writeGrant(record);
    const { user, workspace } = record;
    const { issuer, client: { clientId } } = provider;
    const key = await grantKey({ owner: { user, workspace }, issuer, clientId }, digest);
    release();
    const signedIn = { kind: "signed-in", tag, grant: heldGrant(key, record) } as const;
    const effects = authorization.dispatch(signedIn, { record, began });
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
  /** That the sign-in is void is written for every process to see. Only then is it for good. */
  readonly voided: GrantOutcome | null;
  /** Deletion from the keyring. What it does not delete is void, and the next sign-in or sign-out deletes it. */
  readonly deleted: GrantOutcome | null;
  /** Revocation at the identity provider; `"not-offered"`: it offers none, or there was nothing to revoke. */
  readonly revoked: GrantOutcome | null;
}

/** What a sign-out is done with. */
export interface SignOutContext extends Pick<SignInContext, "provider" | "authorization"> {
  /** Revokes. */
  readonly legs: Pick<EnterpriseLegs, "revoke">;
  /** A fresh generation. */
  readonly generation: string;
  /** Ends the request to the identity provider. */
  readonly signal: () => AbortSignal;
}

/** Signs out. */
export async function signOut(context: SignOutContext): Promise<SignOutReport> {
  const { authorization, generation } = context;
  const effects = authorization.dispatch({ kind: "signed-out", generation });
  await authorization.settled();
  const effect = effects.find(({ kind }) => kind === "end-sign-in");
  const voided = effect === undefined ? null : authorization.grant.outcomeOf(effect) ?? null;
  if (effect === undefined || voided === null) return { voided: null, deleted: null, revoked: null };
  if (voided === "not-offered") return { voided: null, deleted: null, revoked: voided };
  const ended = authorization.grant.takeEnded(effect);
  if (ended === undefined) return { voided, deleted: voided, revoked: voided };
  const { fault, deleted } = ended;
  return { voided, deleted: fault ?? (deleted ? "done" : null), revoked: await revoke(ended, context) };
}

/** Tries each token once. The first failure counts, and so does a token that could not be read. */
async function revoke(
  { key, records, fault }: EndedSignIn,
  { provider, legs, signal }: SignOutContext,
): Promise<GrantOutcome | null> {
  const outcomes: GrantOutcome[] = [];
  for (const { refreshToken: token } of records) {
    const revocation = token === null ? null : await legs.revoke(provider, { token, signal: signal() });
    if (revocation?.kind === "failed") outcomes.push(revocation.error);
    else outcomes.push(revocation?.kind === "revoked" ? "done" : "not-offered");
  }
  const failed = outcomes.find((one) => one instanceof EnterpriseError);
  if (failed !== undefined) return failed;
  if (records.length === 0) return key === null ? null : fault;
  return outcomes.includes("done") ? "done" : "not-offered";
}
