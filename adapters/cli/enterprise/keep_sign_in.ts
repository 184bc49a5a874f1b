/**
 * Keeping a fresh sign-in, and what becomes of the sign-ins beside it: one that could not be stored is revoked, so that
 * no token is left that nobody has; one of another account stays, and that is said.
 *
 * What is stored is decided in `adapters/http/grants/store_sign_in.ts`.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { grantKey } from "../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import type { GrantSource } from "../../http/grants/grant_source.ts";
import {
  commitSignIn,
  type CurrentSignIn,
  currentSignIn,
  recordOf,
  type SignInBefore,
} from "../../http/grants/store_sign_in.ts";
import { nameInToken } from "../../http/sign_in/account.ts";
import type { SignedIn } from "../../http/sign_in/id_token.ts";
import { shown } from "../terminal/shown.ts";
import { type EnterpriseParts, KEYRING_MS } from "./parts.ts";
import { revokeGrant } from "./revoke_grant.ts";

/** What a sign-in is kept with. */
export interface KeepOptions {
  /** What the command works with. */
  readonly parts: Pick<EnterpriseParts, "digest" | "clock" | "http" | "readSecret" | "discover">;
  /** Where it was made. */
  readonly provider: EnterpriseProvider;
  /** What it found when it began. */
  readonly before: SignInBefore;
  /** Whether the refresh token was made by this sign-in, and not handed in. */
  readonly own: boolean;
}

/** A sign-in that was kept. */
export interface KeptSignIn {
  /** What was stored. */
  readonly record: GrantRecord;
  /** One sentence about a sign-in of another account that stays; `null`: there is none. */
  readonly other: string | null;
}

/**
 * Stores the sign-in. Throws what `commitSignIn` throws; its refresh token is revoked then, if it is this sign-in's own
 * and no sign-in of the same account is in force, which could share a session with it at the identity provider.
 */
export async function keepSignIn(
  grants: GrantSource,
  signedIn: SignedIn,
  { parts, provider, before, own }: KeepOptions,
): Promise<KeptSignIn> {
  const { digest } = parts;
  const now = parts.clock.now();
  const { issuer, clientId, user, workspace } = recordOf(signedIn, { provider, now });
  const key = await grantKey({ owner: { user, workspace }, issuer, clientId }, digest);
  const limit = (): AbortSignal => AbortSignal.timeout(KEYRING_MS);
  try {
    const options = { provider, began: before.current, digest, now, signal: limit() };
    const record = await commitSignIn(grants, signedIn, options);
    return { record, other: otherThan(key, before) };
  } catch (error) {
    const { refreshToken } = signedIn;
    if (
      refreshToken !== null && own &&
      !isOf(await currentSignIn(grants.marker(limit())).catch(() => null), key)
    ) {
      await revokeGrant(refreshToken, { parts, provider });
    }
    throw error;
  }
}

function isOf(current: CurrentSignIn, key: string): boolean {
  return current !== null && current !== "damaged" && current.current === key;
}

function otherThan(key: string, { current, record }: SignInBefore): string | null {
  if (current === null || current === "damaged" || current.current === null || current.current === key) {
    return null;
  }
  const name = record === null ? null : nameInToken(record.idToken ?? "") ?? record.user;
  const whose = name === null ? "another account" : shown(name);
  return `The sign-in of ${whose} stays in the keyring, and is not used.`;
}
