/**
 * Makes the enterprise servers of a host out of accounts, threads and their connections: says the configuration to all
 * accounts, those that come later included, and finds whose sign-in and which thread is meant.
 *
 * What revokes is decided in `core/enterprise/authorization/`, and for the account of one thread in
 * `enterprise_thread.ts`. MCP EMA (stable); ID-JAG (draft -04).
 *
 * @module
 */

import type { EnterpriseConfiguration } from "../../../../../core/enterprise/config/configuration.ts";
import type { ConfigurationFault } from "../../../../../core/configuration/layers/fault.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import type { GrantRecord } from "../../../../../core/enterprise/grant/record.ts";
import type { ServerStatus } from "../../../../../core/enterprise/status/status.ts";
import type { HostError } from "../../../../../core/errors.ts";
import type { SignOutReport } from "../../../../http/tokens/provider_sign_in.ts";
import type { Account } from "../account.ts";
import { AccountRoster } from "../accounts/accounts.ts";
import type { AccountTokens } from "../accounts/account_tokens.ts";
import { serverNamed } from "../accounts/configuration_state.ts";
import { GateKeeper } from "../connection/connection_gate.ts";
import type { ConnectOptions, EnterpriseDeskOptions } from "../options.ts";
import { DeskThread } from "./enterprise_thread.ts";
import { DeskThreads } from "./enterprise_threads.ts";
import type { EnterpriseDesk } from "../enterprise_servers.ts";
import type { EnterpriseAuthority, EnterpriseOpenConnection } from "../open_connection.ts";

export type { EnterpriseDesk } from "../enterprise_servers.ts";

class ThreadDesk implements EnterpriseDesk {
  readonly #options: EnterpriseDeskOptions;
  readonly #keeper: GateKeeper;
  readonly #roster: AccountRoster;
  readonly #threads = new DeskThreads();
  #last: Account | null = null;

  constructor(options: EnterpriseDeskOptions) {
    this.#options = options;
    this.#keeper = new GateKeeper(options.fetch);
    this.#roster = new AccountRoster({
      desk: options,
      fetch: (input, init) => this.#keeper.send(input, init),
      onEffect: (effect, account) => this.#threads.follow(effect, account),
      isUsed: (account) => this.#threads.all.some((thread) => thread.account === account),
    });
  }

  async load(configuration: EnterpriseConfiguration): Promise<void> {
    const word = { kind: "valid", loaded: configuration, fault: null } as const;
    await this.#roster.say(word);
    if (this.#roster.word !== word) return;
    for (const server of this.#threads.all.flatMap(({ servers }) => servers)) server.noteLoaded();
  }

  reject({ field, layer }: Pick<ConfigurationFault, "field" | "layer">): void {
    const { loaded } = this.#roster.word;
    void this.#roster.say({ kind: "rejected", loaded, fault: { field, layer } });
  }

  unavailable(): void {
    const { kind, loaded } = this.#roster.word;
    // an invalid one stays invalid until a valid one is read
    if (kind === "rejected") return;
    void this.#roster.say({ kind: "unavailable", loaded, fault: null });
  }

  openThread(thread: string, account: Account | null): void {
    this.#threads.check();
    if (this.#threads.find(thread) !== undefined) return this.setAccount(thread, account);
    this.#last = account;
    this.#threads.add(
      new DeskThread({
        thread,
        account: this.#roster.of(account, this.#absent),
        desk: this.#options,
        keeper: this.#keeper,
        server: (name) => serverNamed(this.#roster.word, name),
        revoked: this.#threads.revokedOf(thread),
      }),
    );
  }

  setAccount(thread: string, account: Account | null): void {
    const known = this.#threads.get(thread);
    this.#last = account;
    known.setAccount(this.#roster.of(account, known.hadAccount ? "nobody" : this.#absent));
    this.#roster.sweep();
  }

  async closeThread(thread: string): Promise<void> {
    await this.#threads.close(thread);
    this.#roster.sweep();
  }

  async connection(
    thread: string,
    server: string,
    options: ConnectOptions = {},
  ): Promise<EnterpriseOpenConnection> {
    return await this.#threads.get(thread).at(server).connection(options);
  }

  reconnect(thread: string, server: string): void {
    this.#threads.get(thread).at(server).reconnect();
  }

  async reauthorize(thread: string, server: string): Promise<boolean> {
    return await this.#threads.get(thread).at(server).reauthorize();
  }

  async readSignIn(thread: string, server: string): Promise<void> {
    await this.#threads.get(thread).account.look(server);
  }

  async look(): Promise<void> {
    this.#threads.check();
    this.#roster.of(this.#last, this.#absent);
    await this.#roster.lookAll();
  }

  status(server: string, thread?: string): ServerStatus {
    if (thread !== undefined) return this.#threads.get(thread).at(server).status();
    return this.#roster.of(this.#last, this.#absent).status({ server, revoked: null });
  }

  refusal(thread: string, server: string): EnterpriseError | HostError | null {
    const known = this.#threads.find(thread);
    return known === undefined ? this.#threads.missing(thread) : known.at(server).refusal();
  }

  authorityOf(thread: string, server: string): EnterpriseAuthority | null {
    return this.#threads.find(thread)?.at(server).authority ?? null;
  }

  async signIn(
    account: Account | null,
    provider: string,
    work: (signal: AbortSignal) => Promise<GrantRecord>,
  ): Promise<void> {
    const known = await this.#named(account);
    if (known.account.identity !== null) {
      const state = "the program supplies its tokens";
      throw new EnterpriseError("CONFIGURATION_REFUSED", `Cannot sign the account in: ${state}`, {
        reason: "identity",
      });
    }
    await known.tokens.signIn(provider, work);
    await this.#roster.lookAll();
  }

  async signOut(account: Account | null, provider: string): Promise<SignOutReport> {
    const report = await (await this.#named(account)).tokens.signOut(provider);
    await this.#roster.lookAll();
    return report;
  }

  async identityReplaced(account: Account): Promise<void> {
    await this.#roster.replaced(account);
  }

  async idle(): Promise<void> {
    await this.#roster.idle();
  }

  async close(): Promise<void> {
    await this.#threads.closeAll();
    await this.#roster.close();
  }

  /** What the account `null` means. */
  get #absent(): "sign-in" | "nobody" {
    return this.#options.ownerFrom === "host" ? "nobody" : "sign-in";
  }

  async #named(account: Account | null): Promise<AccountTokens> {
    this.#threads.check();
    const known = this.#roster.of(account, this.#absent);
    await known.ready();
    return known;
  }
}

/** Creates the desk. Nothing is read or sent yet. */
export function createEnterpriseDesk(options: EnterpriseDeskOptions): EnterpriseDesk {
  return new ThreadDesk(options);
}
