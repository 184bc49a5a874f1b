/**
 * What is known of the sign-in at one provider without asking anybody: the marker, the keyring, the stored grant.
 *
 * Which status that makes is decided in `core/enterprise/status/status.ts`. No token leaves this file.
 *
 * @module
 */

import type { GoneReason } from "../../../core/enterprise/authorization/state.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { providerKey } from "../../../core/enterprise/grant/key.ts";
import type { GrantMarker } from "../../../core/enterprise/grant/marker.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import type { SignInFacts, StatusFacts } from "../../../core/enterprise/status/status.ts";
import { currentSignIn } from "../../http/grants/store_sign_in.ts";
import { nameInToken } from "../../http/sign_in/account.ts";
import type { EnterpriseParts } from "./parts.ts";

/** Whose sign-in it is. */
export interface AccountFacts {
  /** The name that the person knows it by. */
  readonly name: string;
  /** The account's user. */
  readonly user: string;
  /** The account's workspace; `null`: none. */
  readonly workspace: string | null;
  /** When the sign-in was made, epoch seconds. */
  readonly signedInAt: number;
}

/** What is known of the sign-in at one provider. */
export interface ProviderFacts extends Pick<StatusFacts, "keyring" | "marker" | "gone"> {
  /** The sign-in; `null`: none, or not readable. */
  readonly signIn: SignInFacts | null;
  /** Whose it is; `null`: as above. */
  readonly account: AccountFacts | null;
  /** What went wrong in reading it; `null`: nothing. */
  readonly trouble: EnterpriseError | null;
}

/** How long the keyring may take, in milliseconds. */
const PATIENCE_MS = 20_000;

/**
 * Reads marker and grant of our client at `provider`.
 *
 * @throws {EnterpriseError} `LOCK_TIMEOUT` when another process holds the lock for too long.
 */
export async function factsOfProvider(
  provider: EnterpriseProvider,
  parts: Pick<EnterpriseParts, "grants" | "digest">,
): Promise<ProviderFacts> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { issuer, client: { clientId } } = provider;
  try {
    const grants = await parts.grants(provider);
    const current = await currentSignIn(grants.marker(signal));
    const marker = current === "damaged" ? null : current;
    // also with nobody signed in: whether a sign-in could be kept is worth knowing
    const key = marker?.current ?? await providerKey({ issuer, clientId }, parts.digest);
    const facts = found(marker, await grants.locked((held) => held.read(key), signal));
    return current === "damaged" ? { ...facts, marker: "unreadable" } : facts;
  } catch (error) {
    if (error instanceof EnterpriseError) return notRead(error);
    throw error;
  }
}

const OPEN = { keyring: "open", marker: "readable", signIn: null, account: null, trouble: null } as const;

function found(marker: GrantMarker | null, record: GrantRecord | null): ProviderFacts {
  if (record === null) return { ...OPEN, gone: goneBy(marker) };
  const { user, workspace, refreshToken, idToken, idTokenExpiresAt, signedInAt } = record;
  const name = (idToken === null ? null : nameInToken(idToken)) ?? user;
  return {
    ...OPEN,
    gone: "not-signed-in",
    signIn: { hasRefreshToken: refreshToken !== null, idTokenExpiresAt },
    account: { name, user, workspace, signedInAt },
  };
}

function goneBy(marker: GrantMarker | null): GoneReason {
  if (marker === null) return "not-signed-in";
  return marker.current === null ? "signed-out" : "deleted";
}

function notRead(trouble: EnterpriseError): ProviderFacts {
  const facts: ProviderFacts = { ...OPEN, gone: "not-signed-in", trouble };
  switch (trouble.code) {
    case "KEYRING_ABSENT":
      return { ...facts, keyring: "absent" };
    case "KEYRING_LOCKED":
    case "KEYRING_UNRELIABLE":
      return { ...facts, keyring: "locked" };
    case "MARKER_MALFORMED":
      return { ...facts, marker: "unreadable" };
    case "GRANT_MALFORMED":
    case "GRANT_VERSION_UNSUPPORTED":
      return facts;
    default:
      throw trouble;
  }
}
