/**
 * What the tests of tokens look at: the stored grant, the number of exchanges, the code of a refusal; and a grant
 * source whose keyring can be locked.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { GrantSource, LockedGrants } from "../../../../adapters/http/grants/grant_source.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";
import type { AccountOwner } from "../../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../../core/enterprise/grant/record.ts";
import { ACCOUNTS, type EnterpriseBed, select } from "../../../fixtures/enterprise/mod.ts";
import type { Host } from "./host.ts";

/** A thread at the first server. */
export const USE = { thread: "one", server: "notes" };
/** The same thread at the second. */
export const SECOND = { thread: "one", server: "second" };

/** The account of that name, as a host names its owner. */
export function ownerOf(name: string): AccountOwner {
  const account = ACCOUNTS.find((one) => one.name === name);
  assert(account !== undefined);
  return { user: account.subject, workspace: account.workspace };
}

/** Asks for a token and expects a refusal with this code. */
export async function refused(
  host: Host,
  code: EnterpriseErrorCode,
  use: typeof USE = USE,
): Promise<EnterpriseError> {
  const error = await assertRejects(() => host.tokens.token(use), EnterpriseError);
  assertEquals(error.code, code, `${error.message} (${error.reason})`);
  return error;
}

/** The grant that is stored for the current account. */
export async function stored(host: Host): Promise<GrantRecord | null> {
  return await host.source.locked(async (grants) => {
    const current = (await grants.marker())?.current ?? null;
    return current === null ? null : await grants.read(current);
  }, AbortSignal.timeout(5_000));
}

/** Deletes the item as another program would. */
export async function remove(host: Host): Promise<void> {
  await host.source.locked(async (grants) => {
    const marker = await grants.marker();
    await grants.remove(marker?.current ?? "");
    await grants.signOut("ab".repeat(16));
  }, AbortSignal.timeout(5_000));
}

/** How many exchanges `work` led to. */
export async function exchanges(bed: EnterpriseBed, work: () => Promise<unknown>): Promise<number> {
  const before = select(bed.wire.entries(), { endpoint: "idp.exchange" }).length;
  await work();
  return select(bed.wire.entries(), { endpoint: "idp.exchange" }).length - before;
}

/** A source whose keyring can be locked. */
export class LockableSource implements GrantSource {
  /** It is ours. */
  readonly owned = true;
  readonly #inner = new MemoryGrantSource();
  /** Whether the keyring is locked. */
  locks = false;
  /** Whether the marker cannot be read. */
  unreadable = false;

  /** The marker, or its fault. */
  marker(): ReturnType<GrantSource["marker"]> {
    if (this.unreadable) {
      return Promise.reject(new EnterpriseError("MARKER_MALFORMED", "Cannot read the marker"));
    }
    return this.#inner.marker();
  }

  /** Runs `work` with a keyring that may be locked. */
  locked<Result>(work: (grants: LockedGrants) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#inner.locked((grants) => {
      if (!this.locks) return work(grants);
      const closed = (): Promise<never> =>
        Promise.reject(new EnterpriseError("KEYRING_LOCKED", "Cannot read"));
      return work({ ...grants, read: closed, write: closed, remove: closed });
    }, signal);
  }
}
