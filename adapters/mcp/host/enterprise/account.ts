/**
 * Whose account a thread of a host works for: the names, and how two accounts are told apart.
 *
 * Which sign-in belongs to an account is decided in `accounts/account_grants.ts`; what a change of it does to a thread
 * in `threads/create_enterprise_servers.ts`.
 *
 * @module
 */

import type { AccountOwner } from "../../../../core/enterprise/grant/key.ts";
import type { AccountIdentity } from "../../../http/grants/program_grant_source.ts";

/** The identity of an account that the program supplies, and who issued it. */
export interface IssuedIdentity extends AccountIdentity {
  /**
   * Issuer of the identity provider that issued the tokens, verbatim as the configuration names it: they are shown to
   * no other. Absent: the first identity provider that is used with it while the configuration names only one.
   */
  readonly issuer?: string;
  /** Client id that the tokens were issued to; absent: the one that the configuration names for `issuer`. */
  readonly clientId?: string;
}

/** An account of the host. */
export interface Account extends AccountOwner {
  /**
   * Its own tokens; absent: a sign-in of its own, in the host's grants. The same object while it is the same sign-in.
   */
  readonly identity?: IssuedIdentity;
}

/** Names of an account, without anything else. */
export type AccountName = AccountOwner;

/** What kind of account tokens are for. */
export type AccountKind =
  /** Whoever is signed in now, as the grants say. */
  | "sign-in"
  /** Nobody: the host's account is signed out. */
  | "nobody"
  /** The one that the host names. */
  | "host";

/** An account as the enterprise servers keep it. */
export interface KnownAccount {
  /** Equal for the same account, different for any other. */
  readonly key: string;
  /** What kind it is. */
  readonly kind: AccountKind;
  /** Its names; `null` unless the host names it. */
  readonly name: AccountName | null;
  /** Its own tokens; `null`: none. */
  readonly identity: IssuedIdentity | null;
}

/** Tells accounts apart. Two identities are the same only if they are one object. */
export class Accounts {
  readonly #identities = new WeakMap<IssuedIdentity, number>();
  #count = 0;

  /** The account; `null` is the kind that `absent` says. What is given is copied. */
  know(account: Account | null, absent: "sign-in" | "nobody"): KnownAccount {
    if (account === null) return { key: absent, kind: absent, name: null, identity: null };
    const { user, workspace, identity = null } = account;
    const key = JSON.stringify([user, workspace, identity === null ? null : this.#numberOf(identity)]);
    return { key, kind: "host", name: { user, workspace }, identity };
  }

  #numberOf(identity: IssuedIdentity): number {
    const number = this.#identities.get(identity) ?? (this.#count += 1);
    this.#identities.set(identity, number);
    return number;
  }
}
