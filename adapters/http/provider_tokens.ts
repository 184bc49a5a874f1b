/**
 * The tokens of one client of one identity provider: its state, its grant, its servers, their leases.
 *
 * What a host calls is in `enterprise_tokens.ts`; signing in and out in `provider_sign_in.ts`.
 *
 * @module
 */

import { serverOf } from "../../core/enterprise/authorization/state.ts";
import {
  serverUseRefusal,
  type ThreadUse,
  type UseRefusal,
} from "../../core/enterprise/authorization/use.ts";
import type { EnterpriseProvider } from "../../core/enterprise/config/provider.ts";
import type { EnterpriseError } from "../../core/enterprise/error.ts";
import type { ExtensionVerdict } from "../../core/enterprise/extension.ts";
import { type AccountOwner, grantKey } from "../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../core/enterprise/grant/record.ts";
import type { ServerStatus } from "../../core/enterprise/status.ts";
import { fetchAuthenticated } from "./authenticated_fetch.ts";
import type { Authorization } from "./authorization.ts";
import type { HandedLease, LeaseDesk } from "./lease_desk.ts";
import type { ConfigurationEvent, ProviderTokensOptions } from "./provider_options.ts";
import { createProviderParts, deadlineOf, freshGeneration, ignoreOurs } from "./provider_parts.ts";
import { signIn, signOut, type SignOutReport } from "./provider_sign_in.ts";
import type { ScopeMemory } from "./scope_memory.ts";
import { scopedLease, type ScopedLeaseOptions } from "./scoped_lease.ts";
import { registeredServers } from "./server_faults.ts";
import type { ServerEntry, ServerRegistry } from "./server_registry.ts";
import { statusOf } from "./status_of.ts";
import { useError } from "./use_error.ts";

/** The tokens of one client of one identity provider. */
export class ProviderTokens {
  readonly #options: ProviderTokensOptions;
  readonly #authorization: Authorization;
  readonly #registry: ServerRegistry;
  readonly #scopes: ScopeMemory;
  readonly #desk: LeaseDesk;
  readonly #extensions = new Map<string, ExtensionVerdict>();
  #provider: EnterpriseProvider;

  /** Begins with nothing. */
  constructor(options: ProviderTokensOptions) {
    this.#options = options;
    this.#provider = options.provider;
    const { authorization, registry, scopes, desk } = createProviderParts(options, {
      current: () => this.#provider,
      refused: (refusal, use) => this.#error(refusal, use),
    });
    [this.#authorization, this.#registry, this.#scopes, this.#desk] = [authorization, registry, scopes, desk];
  }

  /** The identity provider, as it is configured now. */
  get provider(): EnterpriseProvider {
    return this.#provider;
  }

  /** Whether the server can be used with this identity provider. */
  has(server: string): boolean {
    return this.#registry.find(server) !== undefined;
  }

  /** Whether the server was used with it before. */
  knows(server: string): boolean {
    const { servers, threads } = this.#authorization.state;
    return servers.some(({ name }) => name === server) || threads.some((one) => one.server === server);
  }

  /** Takes the servers of a configuration; `provider` absent: the configuration names it no more. */
  load(provider: EnterpriseProvider | undefined, entries: readonly ServerEntry[]): void {
    this.#provider = provider ?? this.#provider;
    this.#registry.load(entries);
    const servers = registeredServers(entries, {
      before: this.#authorization.state.servers,
      faults: this.#options.faults,
    });
    this.#authorization.dispatch({ kind: "configuration-loaded", servers });
  }

  /** The configuration is invalid, or could not be read. */
  withoutConfiguration(event: ConfigurationEvent): void {
    this.#authorization.dispatch(event);
  }

  /** Says whose account it is, and reads its grant. */
  async setAccount(owner: AccountOwner | null): Promise<void> {
    if (this.#authorization.state.ownerFrom === "sign-in") return;
    const { issuer, client: { clientId } } = this.#provider;
    const key = owner && await grantKey({ owner, issuer, clientId }, this.#options.digest);
    this.#authorization.dispatch({ kind: "account-changed", owner: key });
    await this.#authorization.settled();
  }

  /** Opens a thread, after the grant was looked at. A keyring that cannot be read does not keep it from opening. */
  async openThread(use: ThreadUse): Promise<void> {
    await this.#authorization.grant.sync(deadlineOf(this.#options)).catch(ignoreOurs);
    this.#authorization.dispatch({ kind: "thread-opened", ...use });
  }

  /** Lets a thread use a server with the sign-in that is in force. */
  async reauthorizeThread(use: ThreadUse): Promise<boolean> {
    await this.#authorization.grant.sync(deadlineOf(this.#options));
    const blocked = serverOf(this.#authorization.state, use.server)?.block?.kind;
    if (blocked === "bearer-refused") this.retryServer(use.server);
    const effects = this.#authorization.dispatch({ kind: "thread-reauthorized", ...use });
    return !effects.some(({ kind }) => kind === "discard");
  }

  /** A thread ended. */
  closeThread(thread: string): void {
    this.#authorization.dispatch({ kind: "thread-closed", thread });
  }

  /** Tries a blocked server again. */
  retryServer(server: string): void {
    this.#registry.forget(server);
    this.#options.legs.forget();
    this.#authorization.dispatch({ kind: "server-retried", server });
  }

  /** Stores what `work` gets, if nothing changed meanwhile. */
  signIn(work: (signal: AbortSignal) => Promise<GrantRecord>): Promise<void> {
    return signIn(work, { ...this.#options, provider: this.#provider, authorization: this.#authorization });
  }

  /** Signs out. */
  async signOut(): Promise<SignOutReport> {
    await this.#authorization.grant.sync(deadlineOf(this.#options)).catch(ignoreOurs);
    return await signOut(this.#authorization, freshGeneration());
  }

  /** A lease for a use. */
  lease(use: ThreadUse, options: ScopedLeaseOptions = {}): Promise<HandedLease> {
    const { thread, server } = use;
    const parts = { desk: this.#desk, registry: this.#registry, memory: this.#scopes };
    return scopedLease({ thread, server }, { ...parts, ...options });
  }

  /** Sends a request with a bearer. */
  fetch(request: Request, use: ThreadUse): Promise<Response> {
    return fetchAuthenticated(request, {
      ...use,
      authorization: this.#authorization,
      desk: this.#desk,
      registry: this.#registry,
      scopes: this.#scopes,
      lease: (options) => this.lease(use, options),
      fetch: this.#options.fetch ?? globalThis.fetch,
      refused: (one) => this.#refused(one),
    });
  }

  /** The server answered 401 to the bearer of a lease. Throws when it was the second in a row. */
  bearerRefused(lease: string, use: ThreadUse): void {
    this.#authorization.dispatch({ kind: "bearer-refused", lease });
    if (serverUseRefusal(this.#authorization.state, use) !== null) throw this.#refused(use);
  }

  /** Aborted when the use is revoked. */
  revocation(use: ThreadUse): AbortSignal {
    return this.#authorization.streamSignal(use);
  }

  /** Notes what a server said about the extension. */
  noteExtension(server: string, verdict: ExtensionVerdict): void {
    this.#extensions.set(server, verdict);
  }

  /** The status of a server. */
  status(server: string, thread?: string): ServerStatus {
    return statusOf(this.#authorization, {
      server,
      thread,
      fault: this.#options.faults.of(server),
      extension: this.#extensions.get(server) ?? null,
      now: this.#options.clock.now(),
    });
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#desk.idle();
  }

  /** The error for a use that is refused now; a lease that is gone counts as something that changed meanwhile. */
  #refused(use: ThreadUse): EnterpriseError {
    return this.#error(serverUseRefusal(this.#authorization.state, use) ?? "lease-unknown", use);
  }

  #error(refusal: UseRefusal, use: ThreadUse): EnterpriseError {
    const status = this.status(use.server, use.thread);
    return useError(refusal, {
      ...use,
      state: this.#authorization.state,
      status,
      provider: this.#provider.name,
    });
  }
}
