/**
 * The tokens of every account of a host: made when a thread needs them, told what the configuration came to, let go
 * when no thread has needed them for a while.
 *
 * How accounts are told apart is decided in `adapters/mcp/host/enterprise/account.ts`; what one's tokens are in
 * `account_tokens.ts`.
 *
 * @module
 */

import type { AuthorizationEffect } from "../../../../../core/enterprise/authorization/event.ts";
import { createEnterpriseLegs } from "../../../../http/exchange/enterprise_legs.ts";
import type { EnterpriseLegs } from "../../../../http/exchange/legs.ts";
import { type Account, Accounts, type KnownAccount } from "../account.ts";
import type { EnterpriseServersOptions } from "../options.ts";
import { AccountGrants } from "./account_grants.ts";
import { AccountTokens } from "./account_tokens.ts";
import { createClosingLegs } from "./closing_legs.ts";
import { type ConfigurationOutcome, NOT_LOADED } from "./configuration_outcome.ts";

/** How many accounts without a thread are kept, so that one that comes back finds its access tokens. */
const MAX_IDLE = 16;

/**
 * How long closing waits for work on a sign-in, in seconds: enough for an answer with a new refresh token to come and
 * to be stored, and short enough for whoever ended the host. What takes longer goes on by itself while the process
 * lives.
 */
const CLOSING_SECONDS = 5;

/** What a accounts works with. */
export interface KnownAccountsOptions {
  /** What the enterprise works with. */
  readonly enterprise: EnterpriseServersOptions;
  /** Where requests leave. */
  readonly fetch: typeof globalThis.fetch;
  /** Sees what is done about threads of an account. */
  readonly onEffect: (effect: AuthorizationEffect, account: AccountTokens) => void;
  /** Whether a thread has the account now. */
  readonly isUsed: (account: AccountTokens) => boolean;
}

/** The tokens of every account. */
export class KnownAccounts {
  readonly #options: KnownAccountsOptions;
  readonly #accounts = new Accounts();
  readonly #sources: AccountGrants;
  readonly #legs: EnterpriseLegs;
  readonly #closing = new AbortController();
  /** In the order of their last use. */
  readonly #tokens = new Map<string, AccountTokens>();
  #outcome: ConfigurationOutcome = NOT_LOADED;

  /** Begins with nobody. */
  constructor(options: KnownAccountsOptions) {
    this.#options = options;
    this.#sources = new AccountGrants(options.enterprise);
    const legs = options.enterprise.legs ?? createEnterpriseLegs(options.enterprise);
    this.#legs = createClosingLegs(legs, this.#closing.signal);
  }

  /** What the configuration came to last. */
  get outcome(): ConfigurationOutcome {
    return this.#outcome;
  }

  /** The tokens of `account`; `absent` is what `null` means. */
  of(account: Account | null, absent: "sign-in" | "nobody"): AccountTokens {
    const known = this.#accounts.know(account, absent);
    const tokens = this.#tokens.get(known.key) ?? this.#begin(known);
    this.#tokens.delete(known.key);
    this.#tokens.set(known.key, tokens);
    return tokens;
  }

  /** Tells all accounts what the configuration came to, and to those that come later. */
  async say(outcome: ConfigurationOutcome): Promise<void> {
    this.#outcome = outcome;
    await Promise.all([...this.#tokens.values()].map((tokens) => tokens.take(outcome)));
  }

  /** Has all accounts look whether their sign-ins changed: one of them was changed here. */
  async lookAll(): Promise<void> {
    const servers = this.#outcome.loaded?.servers ?? [];
    const names = [...new Map(servers.map(({ name, provider }) => [provider, name])).values()];
    await Promise.all(
      [...this.#tokens.values()].flatMap((tokens) => names.map((name) => tokens.look(name))),
    );
  }

  /** The program signed the account in anew, or out. */
  async replaced({ identity }: Account): Promise<void> {
    if (identity !== undefined) this.#sources.replaced(identity);
    await this.lookAll();
  }

  /** Lets go of accounts that no thread has had for longest. */
  sweep(): void {
    const idle = [...this.#tokens].filter(([, tokens]) => !this.#options.isUsed(tokens));
    for (const [index, [key, { account }]] of idle.entries()) {
      if (index < idle.length - MAX_IDLE || account.identity !== null) this.#tokens.delete(key);
    }
  }

  /** Resolves when nothing is under way for any account. */
  async idle(): Promise<void> {
    await Promise.all([...this.#tokens.values()].map(({ tokens }) => tokens.idle()));
  }

  /** Nobody waits for a token any more. Resolves when what has to be stored is stored, or does not come. */
  async close(): Promise<void> {
    this.#closing.abort();
    const over = new AbortController();
    const idle = this.idle().finally(() => over.abort());
    await Promise.race([idle, this.#options.enterprise.clock.sleep(CLOSING_SECONDS, over.signal)]);
  }

  #begin(account: KnownAccount): AccountTokens {
    const { clock, digest, runtime, random, deadline, sharedLeases } = this.#options.enterprise;
    const tokens = new AccountTokens({
      account,
      sources: this.#sources,
      legs: this.#legs,
      clock,
      digest,
      runtime,
      random,
      deadline,
      sharedLeases,
      fetch: this.#options.fetch,
      onEffect: this.#options.onEffect,
    });
    void tokens.take(this.#outcome);
    return tokens;
  }
}
