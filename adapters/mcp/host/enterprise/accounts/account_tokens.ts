/**
 * The tokens of one account at all enterprise servers, and what their state says about a thread: whether it may use a
 * server now, under which generation, and why not. Threads of one account share leases; accounts share nothing.
 *
 * The state is decided in `core/enterprise/authorization/`, what a host's threads do in
 * `adapters/mcp/host/enterprise/threads/thread_server.ts`.
 *
 * @module
 */

import type { AuthorizationEffect } from "../../../../../core/enterprise/authorization/event.ts";
import {
  type AuthorizationState,
  serverOf,
  threadOf,
} from "../../../../../core/enterprise/authorization/state.ts";
import { serverUseRefusal, type ThreadUse } from "../../../../../core/enterprise/authorization/use.ts";
import type { EnterpriseProvider } from "../../../../../core/enterprise/config/provider.ts";
import type { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import type { ServerStatus } from "../../../../../core/enterprise/status/status.ts";
import type { HostError } from "../../../../../core/errors.ts";
import type { GrantSource } from "../../../../http/grants/grant_source.ts";
import { EnterpriseTokens, type EnterpriseTokensOptions } from "../../../../http/tokens/enterprise_tokens.ts";
import { useError } from "../../../../http/tokens/use_error.ts";
import type { KnownAccount } from "../account.ts";
import { type AccountGrants, clientKey } from "./account_grants.ts";
import {
  type ConfigurationOutcome,
  NOT_LOADED,
  providerOf,
  refusalByWord,
  statusByWord,
} from "./configuration_outcome.ts";
import { isNeverSignedIn, KeyringCheck, type KeyringPlace } from "./keyring_check.ts";
import { type HeldUse, withRevoked } from "./revoked_use.ts";

/** What the tokens of an account are made with. */
export interface AccountTokensOptions
  extends Omit<EnterpriseTokensOptions, "grants" | "ownerFrom" | "onState" | "onEffect"> {
  /** The account. */
  readonly account: KnownAccount;
  /** Where sign-ins come from. */
  readonly sources: Pick<AccountGrants, "sourceOf">;
  /** Sees what is done about its threads. */
  readonly onEffect: (effect: AuthorizationEffect, account: AccountTokens) => void;
}

/** Name of the thread that reads a sign-in and does nothing else. */
const READER = `reader-${crypto.randomUUID()}`;

/** The tokens of one account. */
export class AccountTokens {
  /** The account. */
  readonly account: KnownAccount;
  /** Its tokens. */
  readonly tokens: EnterpriseTokens;
  /** Whether the keyring is why nobody is signed in. */
  readonly keyring: KeyringCheck;
  readonly #states = new Map<string, AuthorizationState>();
  readonly #sources: AccountTokensOptions["sources"];
  #outcome: ConfigurationOutcome = NOT_LOADED;
  #ready: Promise<void> = Promise.resolve();

  /** Begins with nothing. */
  constructor({ account, sources, onEffect, ...options }: AccountTokensOptions) {
    this.account = account;
    this.#sources = sources;
    this.keyring = new KeyringCheck({ ...options, placeOf: (server) => this.#placeOf(server) });
    this.tokens = new EnterpriseTokens({
      ...options,
      grants: (provider) => this.#sourceAt(provider),
      ownerFrom: account.kind === "sign-in" ? "sign-in" : "host",
      onState: (state, provider) => void this.#states.set(clientKey(provider), state),
      onEffect: (effect) => onEffect(effect, this),
    });
    void this.tokens.setAccount(account.name);
  }

  /** Takes what the configuration came to. What it revokes at once is revoked when this returns its promise. */
  take(outcome: ConfigurationOutcome): Promise<void> {
    const before = this.#outcome;
    this.#outcome = outcome;
    if (outcome.kind !== "valid" && before.loaded === outcome.loaded) {
      return Promise.resolve(this.#withhold(outcome));
    }
    const loading = this.#load(outcome);
    loading.catch(() => undefined); // whoever waits for it gets the error
    this.#ready = loading;
    return loading;
  }

  /** Resolves when the configuration was taken, and the account's sign-in was looked for. */
  ready(): Promise<void> {
    return this.#ready;
  }

  /** Looks whether the sign-in changed, and does what follows from that. Failures show in the status. */
  async look(server: string): Promise<void> {
    await this.#ready;
    if (this.#stateOf(server) === null) return;
    await this.tokens.openThread({ thread: READER, server });
    this.tokens.closeThread(READER);
    if (isNeverSignedIn(this.tokens.status(server))) await this.keyring.look(server);
  }

  /**
   * Authorizes a thread with the sign-in in force. `false`: there is none to use, or it is another by now.
   *
   * @throws {EnterpriseError} `CONFIGURATION_REFUSED`, `CONFIGURATION_UNAVAILABLE` or `SERVER_DISABLED` when the server
   * cannot be used; `KEYRING_LOCKED` or another code when the sign-in cannot be read.
   * @throws {HostError} `SERVER_UNKNOWN` when no enterprise server has this name.
   */
  async reauthorize(use: ThreadUse): Promise<boolean> {
    await this.#ready;
    const refusal = this.byConfiguration(use.server);
    if (refusal !== null) throw refusal;
    return await this.tokens.reauthorizeThread(use) && this.generationOf(use) !== null;
  }

  /** Generation that the thread is authorized with at the server; `null`: it is not. */
  generationOf(use: ThreadUse): string | null {
    const state = this.#stateOf(use.server);
    const thread = state === null ? undefined : threadOf(state, use);
    return thread === undefined || thread.revoked !== null ? null : thread.generation;
  }

  /** Whether the thread ever was authorized at the server, for this account. */
  wasAuthorized(use: ThreadUse): boolean {
    const state = this.#stateOf(use.server);
    return state !== null && (threadOf(state, use)?.generation ?? null) !== null;
  }

  /** Why the configuration alone keeps the server from being used; `null`: it does not. */
  byConfiguration(server: string): EnterpriseError | HostError | null {
    return this.#outcome.kind !== "valid" || this.#stateOf(server) === null
      ? refusalByWord(this.#outcome, server)
      : null;
  }

  /** Why the thread may not use the server now; `null`: it may, or was not opened there yet. */
  refusal(use: HeldUse): EnterpriseError | HostError | null {
    const state = this.#stateOf(use.server);
    if (state === null || this.#outcome.kind !== "valid") return this.byConfiguration(use.server);
    const held = withRevoked(state, use);
    const refusal = serverUseRefusal(held, use);
    if (refusal === null || refusal === "thread-unknown") return null;
    const provider = providerOf(this.#outcome, use.server) ?? "";
    return useError(refusal, { ...use, state: held, status: this.status(use), provider });
  }

  /**
   * The status of a server for a thread; for nobody's in particular where none is named. Asks nobody.
   *
   * @throws {HostError} `SERVER_UNKNOWN` when no enterprise server has this name.
   */
  status(
    { server, thread, revoked }: Omit<HeldUse, "thread"> & { readonly thread?: string | undefined },
  ): ServerStatus {
    const loaded = this.#stateOf(server) !== null;
    const decided = this.#outcome.kind === "valid" && loaded ? null : statusByWord(this.#outcome, server);
    if (decided !== null) return decided;
    if (!loaded) return { kind: "signed-out", because: "not-signed-in" }; // as far as was looked
    const status = this.keyring.statusAt(server, this.tokens.status(server, thread));
    const weaker = status.kind === "ready" || status.kind === "unavailable" || status.kind === "reconnect" ||
      status.kind === "extension-required";
    return revoked !== null && weaker ? { kind: "reconnect", because: revoked } : status;
  }

  #placeOf(server: string): KeyringPlace | null {
    const name = providerOf(this.#outcome, server);
    const provider = this.#outcome.loaded?.providers.find((one) => one.name === name);
    return provider === undefined ? null : { provider, source: this.#sourceAt(provider) };
  }

  #sourceAt(provider: EnterpriseProvider): GrantSource {
    const alone = new Set(this.#outcome.loaded?.providers.map(clientKey)).size === 1;
    return this.#sources.sourceOf(this.account, { provider, alone });
  }

  async #load(outcome: ConfigurationOutcome): Promise<void> {
    const { loaded } = outcome;
    if (loaded === null) return this.#withhold(outcome);
    await this.tokens.loadConfiguration(loaded);
    if (this.#outcome === outcome && outcome.kind !== "valid") this.#withhold(outcome);
  }

  #withhold({ kind, fault }: ConfigurationOutcome): void {
    if (kind === "rejected" && fault !== null) this.tokens.rejectConfiguration(fault);
    else this.tokens.configurationUnavailable();
  }

  /** The state that has the server now, else one that knows it. */
  #stateOf(server: string): AuthorizationState | null {
    const states = [...this.#states.values()];
    return states.find((one) => serverOf(one, server)?.disabled === null) ??
      states.find((one) => serverOf(one, server) !== undefined) ??
      states.find((one) => one.threads.some((thread) => thread.server === server)) ?? null;
  }
}
