/**
 * Storing a sign-in and taking it back: one item for each account, under the lock, with a fresh generation each time.
 *
 * Where grants are kept is decided in `grants/grant_source.ts`; what a record holds in
 * `core/enterprise/grant/record.ts`. What both do to leases and threads of running hosts is decided in
 * `core/enterprise/authorization/`.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { type AccountOwner, grantKey } from "../../../core/enterprise/grant/key.ts";
import { compareMarker, type GrantMarker } from "../../../core/enterprise/grant/marker.ts";
import { type GrantRecord, writeGrant } from "../../../core/enterprise/grant/record.ts";
import type { DigestPort } from "../../../core/ports/digest.ts";
import type { SignedIn } from "../sign_in/id_token.ts";
import { freshGeneration } from "./fresh_generation.ts";
import type { EndedSignIn, GrantSource, LockedGrants } from "./grant_source.ts";

/** Which sign-in is in force: the marker; `null`: nobody ever signed in; `"damaged"`: it cannot be read. */
export type CurrentSignIn = GrantMarker | "damaged" | null;

/** Reads which sign-in is in force. A damaged marker is an answer: a new sign-in or a sign-out mends it. */
export async function currentSignIn(marker: Promise<GrantMarker | null>): Promise<CurrentSignIn> {
  try {
    return await marker;
  } catch (error) {
    if (error instanceof EnterpriseError && error.code === "MARKER_MALFORMED") return "damaged";
    throw error;
  }
}

/** What a sign-in found when it began. */
export interface SignInBefore {
  /** Which sign-in was in force. */
  readonly current: CurrentSignIn;
  /** Its grant; `null`: none, or not readable. */
  readonly record: GrantRecord | null;
}

/** What is looked at before a sign-in. */
export interface LookBeforeOptions {
  /** A key under which nothing is kept. */
  readonly probe: string;
  /** Whether an item is stored and deleted when there is no grant to read; `false` when absent. */
  readonly tryOut?: boolean;
  /** Ends the waiting for lock and keyring. */
  readonly signal: AbortSignal;
}

/**
 * Looks at what is stored before a sign-in, so that one that cannot be stored is not even begun. `probe` is a key
 * under which nothing is kept; with `tryOut` an item is stored there and deleted when there is no grant to read, since
 * a locked keyring may tell of an item that it does not have as an open one does.
 *
 * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
 * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
 * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when it does not keep what it is given.
 * @throws {EnterpriseError} `LOCK_TIMEOUT` when another process holds the lock for too long.
 */
export async function readBeforeSignIn(
  grants: GrantSource,
  { probe, signal, tryOut = false }: LookBeforeOptions,
): Promise<SignInBefore> {
  return await grants.locked(async (held) => {
    const current = await currentSignIn(held.marker());
    const key = current === null || current === "damaged" ? null : current.current;
    const record = await readSound(held, key ?? probe);
    if (tryOut && record === null) await held.tryOut?.(probe);
    return { current, record };
  }, signal);
}

/** What a sign-in is stored with. */
export interface CommitOptions {
  /** The identity provider. */
  readonly provider: EnterpriseProvider;
  /** Whose account it is, when a host says so; absent: the one that the ID token names. */
  readonly owner?: AccountOwner | undefined;
  /** Which sign-in was in force when this one began. */
  readonly began: CurrentSignIn;
  /** Computes digests. */
  readonly digest: DigestPort;
  /** Epoch seconds. */
  readonly now: number;
  /** Ends the waiting for lock and keyring. */
  readonly signal: AbortSignal;
}

/**
 * Stores the sign-in as a new generation and makes its account the current one. Nothing is stored when another
 * sign-in or a sign-out came in between. Grants of other accounts stay.
 *
 * @throws {EnterpriseError} `SUPERSEDED` when something else happened since the sign-in began.
 * @throws {EnterpriseError} `GRANT_TOO_LARGE` when the tokens do not fit into a keyring item.
 * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
 * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
 * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when what is read back is not what was written.
 * @throws {EnterpriseError} `LOCK_TIMEOUT` when another process holds the lock for too long.
 */
export async function commitSignIn(
  grants: GrantSource,
  signedIn: SignedIn,
  options: CommitOptions,
): Promise<GrantRecord> {
  const { began, digest, signal } = options;
  const record = recordOf(signedIn, options);
  writeGrant(record); // refuses what is too large before anything is waited for
  const { issuer, clientId, user, workspace } = record;
  const key = await grantKey({ owner: { user, workspace }, issuer, clientId }, digest);
  await grants.locked(async (held) => {
    if (!isSameSignIn(began, await currentSignIn(held.marker()))) {
      throw new EnterpriseError(
        "SUPERSEDED",
        "Cannot store the sign-in: another sign-in or a sign-out came in between. Look with codex-mcp status.",
      );
    }
    await held.write(key, record);
  }, signal);
  return record;
}

/**
 * Writes that nobody is signed in, then deletes the grant of the account that was the current one under the lock. A
 * damaged grant is deleted as it is, a damaged marker mended. With nothing stored nothing happens. A keyring that does
 * not delete is no failure: what it holds is void, and the answer says so.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when the marker can be neither written nor taken away.
 * @throws {EnterpriseError} `LOCK_TIMEOUT` when another process holds the lock for too long.
 */
export async function signOut(grants: GrantSource, signal: AbortSignal): Promise<EndedSignIn> {
  const nothing = { key: null, records: [], deleted: false, fault: null };
  if (isNobody(await currentSignIn(grants.marker(signal)))) return nothing;
  const ending = { key: null, generation: freshGeneration() };
  return await grants.locked((held) => held.endSignIn(ending), signal);
}

/** Whether nobody is signed in, and nothing is left of a sign-out before. */
function isNobody(current: CurrentSignIn): boolean {
  if (current === null) return true;
  return current !== "damaged" && current.current === null && current.voided === undefined;
}

/** The record of a sign-in, of a fresh generation. For a host that stores it itself (`EnterpriseTokens.signIn`). */
export function recordOf(
  signedIn: SignedIn,
  { provider, owner = signedIn.owner, now }: Pick<CommitOptions, "provider" | "owner" | "now">,
): GrantRecord {
  return {
    issuer: provider.issuer,
    clientId: provider.client.clientId,
    user: owner.user,
    workspace: owner.workspace,
    subject: signedIn.identity.subject,
    generation: freshGeneration(),
    revision: 0,
    refreshToken: signedIn.refreshToken,
    idToken: signedIn.idToken,
    idTokenExpiresAt: signedIn.identity.expiresAt,
    signedInAt: Math.floor(now),
    others: {},
  };
}

/** The grant of this key; `null`: none, or one that cannot be read and never will be. */
async function readSound(held: LockedGrants, key: string): Promise<GrantRecord | null> {
  try {
    return await held.read(key);
  } catch (error) {
    const damaged = error instanceof EnterpriseError &&
      (error.code === "GRANT_MALFORMED" || error.code === "GRANT_VERSION_UNSUPPORTED");
    if (damaged) return null;
    throw error;
  }
}

/** Whether nobody signed in or out between both. */
export function isSameSignIn(before: CurrentSignIn, now: CurrentSignIn): boolean {
  if (before === null || now === null || before === "damaged" || now === "damaged") return before === now;
  return compareMarker(before, now) !== "replaced";
}
