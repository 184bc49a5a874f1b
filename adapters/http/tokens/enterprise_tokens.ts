/**
 * Enterprise-managed authorization while a host runs: takes its configuration, its account and its threads, and gives
 * them access tokens for MCP servers. Everything that is decided is decided in `core/enterprise`; this file is what a
 * host calls.
 *
 * The order at a start: load the configuration, set the account (a host that has accounts), open threads. The rest is
 * in `provider_routes.ts`, `provider_tokens.ts`, `leases/leases.ts`, `authenticated_fetch.ts`. MCP
 * EMA (stable); ID-JAG (draft -04).
 *
 * @module
 */

import type { ConfigurationFault } from "../../../core/configuration/layers/fault.ts";
import type { ThreadUse } from "../../../core/enterprise/authorization/use.ts";
import type { EnterpriseConfiguration } from "../../../core/enterprise/config/configuration.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { ExtensionVerdict } from "../../../core/enterprise/extension.ts";
import type { AccountOwner } from "../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import type { ServerStatus } from "../../../core/enterprise/status/status.ts";
import { serverEntries } from "../authorization/server_registry.ts";
import type { GrantSource } from "../grants/grant_source.ts";
import { type AuthProvider, createAuthProvider } from "./auth_provider.ts";
import type { TokensOptions } from "./provider_options.ts";
import { ProviderRoutes } from "./provider_routes.ts";
import type { SignOutReport } from "./provider_sign_in.ts";
import { ProviderTokens } from "./provider_tokens.ts";
import { rejectedBy, ServerFaults } from "./server_faults.ts";

/** How the tokens of a host are made. */
export interface EnterpriseTokensOptions extends TokensOptions {
  /** Where the grants of an identity provider's client are kept. Called once for each. */
  readonly grants: (provider: EnterpriseProvider) => GrantSource;
}

/** Access tokens for the MCP servers of a host. */
export class EnterpriseTokens {
  readonly #options: EnterpriseTokensOptions;
  readonly #routes = new ProviderRoutes();
  readonly #faults = new ServerFaults();
  #owner: AccountOwner | null = null;
  #loads = 0;

  /** Begins with nothing. */
  constructor(options: EnterpriseTokensOptions) {
    this.#options = options;
  }

  /**
   * Takes a configuration, unless another word on it comes meanwhile. A server that is the same as before keeps its
   * threads and leases; any other loses them, wherever its identity provider is now. A provider that became invalid
   * takes all of its servers along.
   */
  async loadConfiguration(configuration: EnterpriseConfiguration): Promise<void> {
    const load = ++this.#loads;
    const entries = await serverEntries(configuration, this.#options.digest);
    if (load !== this.#loads) return;
    this.#faults.load(configuration);
    const begin = (provider: EnterpriseProvider): ProviderTokens => this.#begin(provider);
    this.#routes.load(configuration, { entries, faults: this.#faults, begin });
    await this.setAccount(this.#owner);
  }

  /** The managed configuration was read and is invalid: every thread is revoked until a valid one is loaded. */
  rejectConfiguration(fault: Pick<ConfigurationFault, "field" | "layer">): void {
    this.#loads++;
    for (const tokens of this.#routes.all) tokens.withoutConfiguration(rejectedBy(fault));
  }

  /** The managed configuration could not be read: nothing is used, and nothing is lost. */
  configurationUnavailable(): void {
    this.#loads++;
    const event = { kind: "configuration-unavailable" } as const;
    for (const tokens of this.#routes.all) tokens.withoutConfiguration(event);
  }

  /**
   * Says whose account the host is signed in with; `null`: nobody's. Leases and threads of another one are void, its
   * grants are kept. Only for hosts that have accounts (`ownerFrom: "host"`).
   */
  async setAccount(owner: AccountOwner | null): Promise<void> {
    this.#owner = owner;
    await Promise.all(this.#routes.all.map((tokens) => tokens.setAccount(owner)));
  }

  /** Opens a thread at a server, or connects it anew. A revoked thread stays revoked. */
  async openThread(use: ThreadUse): Promise<void> {
    await this.#of(use.server).openThread(use);
  }

  /** Lets a thread use a server with the sign-in in force: a person asked for it. `false`: there is none to use. */
  async reauthorizeThread(use: ThreadUse): Promise<boolean> {
    return await this.#of(use.server).reauthorizeThread(use);
  }

  /** A thread ended, and so do its streams. */
  closeThread(thread: string): void {
    for (const tokens of this.#routes.all) tokens.closeThread(thread);
  }

  /** Tries a blocked server again: a person asked for it. What discovery found is looked for anew. */
  retryServer(server: string): void {
    this.#of(server).retryServer(server);
  }

  /**
   * Signs in. `work` gets the tokens; its signal is aborted by whatever makes the sign-in pointless.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when something changed meanwhile, or it is not the account's own sign-in.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it cannot be stored.
   */
  async signIn(provider: string, work: (signal: AbortSignal) => Promise<GrantRecord>): Promise<void> {
    const named = this.#routes.named(provider);
    await named.tokens.signIn(work, named.provider);
  }

  /**
   * Signs out, and says what could not be done. Nothing of the sign-in is usable from now on, also where the keyring
   * is locked. Two names of one issuer and client id share a sign-in: it ends for both.
   */
  async signOut(provider: string): Promise<SignOutReport> {
    const named = this.#routes.named(provider);
    return await named.tokens.signOut(named.provider);
  }

  /**
   * A bearer for the server; {@linkcode EnterpriseTokens.authenticatedFetch} sends one without showing it.
   *
   * @throws {EnterpriseError} `SIGN_IN_REQUIRED` when nobody is signed in; any other code as its name says.
   */
  async token(use: ThreadUse, signal?: AbortSignal): Promise<string> {
    return (await this.#of(use.server).lease(use, { signal })).token;
  }

  /**
   * A `fetch` for one thread's use of one server. It takes requests for the server's configured URL only, follows no
   * redirect, gets another bearer once after a 401, and more scopes once when the server asks for them.
   */
  authenticatedFetch(use: ThreadUse): AuthenticatedFetch {
    return async (input, init) => {
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      return await this.#of(use.server).fetch(new Request(input, init), { ...use, signal });
    };
  }

  /**
   * For `authProvider` of the MCP SDK's HTTP transport, version 2: shows no bearer, so its `fetch` must be ours too.
   */
  authProvider(use: ThreadUse): AuthProvider {
    return createAuthProvider({ server: use.server, lease: () => this.#of(use.server).lease(use) });
  }

  /** Aborted when the thread's use of the server is revoked, or the thread closed. After that, one for its next use. */
  revocation(use: ThreadUse): AbortSignal {
    return this.#of(use.server).revocation(use);
  }

  /** Notes what a server said about the extension when a thread connected to it. */
  noteExtension(server: string, verdict: ExtensionVerdict): void {
    this.#of(server).noteExtension(server, verdict);
  }

  /** The status of a server, for a thread where one is named. Asks nobody. */
  status(server: string, thread?: string): ServerStatus {
    return this.#of(server).status(server, thread);
  }

  /** Resolves when nothing is under way: no exchange, no renewal, no work on a grant. */
  async idle(): Promise<void> {
    for (const tokens of this.#routes.all) await tokens.idle();
  }

  #begin(provider: EnterpriseProvider): ProviderTokens {
    const { grants, ...options } = this.#options;
    return new ProviderTokens({ ...options, provider, source: grants(provider), faults: this.#faults });
  }

  #of(server: string): ProviderTokens {
    return this.#routes.of(server);
  }
}

/** What {@linkcode EnterpriseTokens.authenticatedFetch} gives. */
export type AuthenticatedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
