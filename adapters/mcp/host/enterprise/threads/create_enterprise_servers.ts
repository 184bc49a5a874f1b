/**
 * Makes the enterprise servers of a host out of accounts, threads and their connections: says the configuration to all
 * accounts, those that come later included, and finds whose sign-in and which thread is meant.
 *
 * What revokes is decided in `core/enterprise/authorization/`, and for the account of one thread in
 * `enterprise_thread.ts`. MCP EMA (stable); ID-JAG (draft -04).
 *
 * @module
 */

import type { ConfigurationFault } from "../../../../../core/configuration/layers/fault.ts";
import type { EnterpriseConfiguration } from "../../../../../core/enterprise/config/configuration.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import type { GrantRecord } from "../../../../../core/enterprise/grant/record.ts";
import type { ServerStatus } from "../../../../../core/enterprise/status/status.ts";
import type { HostError } from "../../../../../core/errors.ts";
import type { SignOutReport } from "../../../../http/tokens/provider_sign_in.ts";
import type { Account } from "../account.ts";
import type { AccountTokens } from "../accounts/account_tokens.ts";
import { serverNamed } from "../accounts/configuration_outcome.ts";
import { KnownAccounts } from "../accounts/known_accounts.ts";
import { ConnectionGates } from "../connection/connection_gates.ts";
import type { EnterpriseServers } from "../enterprise_servers.ts";
import type { EnterpriseAuthority, EnterpriseOpenConnection } from "../open_connection.ts";
import type { ConnectOptions, EnterpriseServersOptions } from "../options.ts";
import { EnterpriseThread } from "./enterprise_thread.ts";
import { EnterpriseThreads } from "./enterprise_threads.ts";

export type { EnterpriseServers } from "../enterprise_servers.ts";

class HostEnterpriseServers implements EnterpriseServers {
  readonly #options: EnterpriseServersOptions;
  readonly #gates: ConnectionGates;
  readonly #accounts: KnownAccounts;
  readonly #threads = new EnterpriseThreads();
  #last: Account | null = null;

  constructor(options: EnterpriseServersOptions) {
    this.#options = options;
    this.#gates = new ConnectionGates(options.fetch);
    this.#accounts = new KnownAccounts({
      enterprise: options,
      fetch: (input, init) => this.#gates.send(input, init),
      onEffect: (effect, account) => this.#threads.follow(effect, account),
      isUsed: (account) => this.#threads.all.some((thread) => thread.account === account),
    });
  }

  async load(configuration: EnterpriseConfiguration): Promise<void> {
    const outcome = { kind: "valid", loaded: configuration, fault: null } as const;
    await this.#accounts.say(outcome);
    if (this.#accounts.outcome !== outcome) return;
    for (const server of this.#threads.all.flatMap(({ servers }) => servers)) server.noteLoaded();
  }

  reject({ field, layer }: Pick<ConfigurationFault, "field" | "layer">): void {
    const { loaded } = this.#accounts.outcome;
    void this.#accounts.say({ kind: "rejected", loaded, fault: { field, layer } });
  }

  unavailable(): void {
    const { kind, loaded } = this.#accounts.outcome;
    // an invalid one stays invalid until a valid one is read
    if (kind === "rejected") return;
    void this.#accounts.say({ kind: "unavailable", loaded, fault: null });
  }

  openThread(thread: string, account: Account | null): void {
    this.#threads.check();
    if (this.#threads.find(thread) !== undefined) return this.setAccount(thread, account);
    this.#last = account;
    this.#threads.add(
      new EnterpriseThread({
        thread,
        account: this.#accounts.of(account, this.#absent),
        enterprise: this.#options,
        gates: this.#gates,
        server: (name) => serverNamed(this.#accounts.outcome, name),
        revoked: this.#threads.revokedOf(thread),
      }),
    );
  }

  setAccount(thread: string, account: Account | null): void {
    const known = this.#threads.get(thread);
    this.#last = account;
    known.setAccount(this.#accounts.of(account, known.hadAccount ? "nobody" : this.#absent));
    this.#accounts.sweep();
  }

  async closeThread(thread: string): Promise<void> {
    await this.#threads.close(thread);
    this.#accounts.sweep();
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
    this.#accounts.of(this.#last, this.#absent);
    await this.#accounts.lookAll();
  }

  status(server: string, thread?: string): ServerStatus {
    if (thread !== undefined) return this.#threads.get(thread).at(server).status();
    return this.#accounts.of(this.#last, this.#absent).status({ server, revoked: null });
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
    await this.#accounts.lookAll();
  }

  async signOut(account: Account | null, provider: string): Promise<SignOutReport> {
    const report = await (await this.#named(account)).tokens.signOut(provider);
    await this.#accounts.lookAll();
    return report;
  }

  async identityReplaced(account: Account): Promise<void> {
    await this.#accounts.replaced(account);
  }

  async idle(): Promise<void> {
    await this.#accounts.idle();
  }

  async close(): Promise<void> {
    await this.#threads.closeAll();
    await this.#accounts.close();
  }

  /** What the account `null` means. */
  get #absent(): "sign-in" | "nobody" {
    return this.#options.ownerFrom === "host" ? "nobody" : "sign-in";
  }

  async #named(account: Account | null): Promise<AccountTokens> {
    this.#threads.check();
    const known = this.#accounts.of(account, this.#absent);
    await known.ready();
    return known;
  }
}

/** Creates them. Nothing is read or sent yet. */
export function createEnterpriseServers(options: EnterpriseServersOptions): EnterpriseServers {
  return new HostEnterpriseServers(options);
}
