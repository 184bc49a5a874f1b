/**
 * The tokens of one client of one identity provider: its state, its grant, its servers, their leases.
 *
 * What a host calls is in `enterprise_tokens.ts`; signing in and out in `provider_sign_in.ts`.
 *
 * @module
 */

import { serverOf, type ThreadState } from "../../../core/enterprise/authorization/state.ts";
import {
  serverUseRefusal,
  type ThreadUse,
  type UseRefusal,
} from "../../../core/enterprise/authorization/use.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { ExtensionVerdict } from "../../../core/enterprise/extension.ts";
import { type AccountOwner, grantKey } from "../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import type { ServerStatus } from "../../../core/enterprise/status/status.ts";
import type { ServerEntry } from "../authorization/server_registry.ts";
import { freshGeneration } from "../grants/fresh_generation.ts";
import type { HandedLease } from "../leases/leases.ts";
import { scopedLease, type ScopedLeaseOptions } from "../leases/scoped_lease.ts";
import { fetchAuthenticated } from "./authenticated_fetch.ts";
import type { ConfigurationEvent, ProviderTokensOptions } from "./provider_options.ts";
import { createProviderParts, deadlineOf, ignoreOurs, type ProviderParts } from "./provider_parts.ts";
import { signIn, signOut, type SignOutReport } from "./provider_sign_in.ts";
import { registeredServers } from "./server_faults.ts";
import { statusOf } from "./status_of.ts";
import { useError } from "./use_error.ts";

/** The tokens of one client of one identity provider. */
export class ProviderTokens {
  readonly #options: ProviderTokensOptions;
  readonly #parts: ProviderParts;
  readonly #extensions = new Map<string, ExtensionVerdict>();
  #accounts = 0;
  #provider: EnterpriseProvider;

  /** Begins with nothing. */
  constructor(options: ProviderTokensOptions) {
    this.#options = options;
    this.#provider = options.provider;
    this.#parts = createProviderParts(options, {
      current: (server) => this.#providerOf(server),
      refused: (refusal, use) => this.#error(refusal, use),
    });
  }

  /** The threads that use the server, or used it. */
  threadsOf(server: string): readonly ThreadState[] {
    const { threads, closed } = this.#parts.authorization.state;
    return [...threads, ...closed].filter((one) => one.server === server);
  }

  /** Takes over the threads of a server that belonged to another identity provider: revoked, all of them. */
  carry(server: string, threads: readonly ThreadState[]): void {
    this.#parts.authorization.dispatch({ kind: "threads-carried", server, threads });
  }

  /** Takes the servers of a configuration; `provider` absent: the configuration names it no more. */
  load(provider: EnterpriseProvider | undefined, entries: readonly ServerEntry[]): void {
    this.#provider = provider ?? this.#provider;
    this.#parts.registry.load(entries.filter(({ server }) => server.enabled));
    const servers = registeredServers(entries, {
      before: this.#parts.authorization.state.servers,
      faults: this.#options.faults,
    });
    this.#parts.authorization.dispatch({ kind: "configuration-loaded", servers });
  }

  /** The configuration is invalid, or could not be read. */
  withoutConfiguration(event: ConfigurationEvent): void {
    this.#parts.authorization.dispatch(event);
  }

  /** Says whose account it is, and reads its grant. */
  async setAccount(owner: AccountOwner | null): Promise<void> {
    if (this.#parts.authorization.state.ownerFrom === "sign-in") return;
    const { issuer, client: { clientId } } = this.#provider;
    const said = ++this.#accounts;
    const key = owner && await grantKey({ owner, issuer, clientId }, this.#options.digest);
    if (said !== this.#accounts) return; // the host has said something else since
    this.#parts.authorization.dispatch({ kind: "account-changed", owner: key });
    await this.#parts.authorization.settled();
  }

  /** Opens a thread, after the grant was looked at. A keyring that cannot be read does not keep it from opening. */
  async openThread(use: ThreadUse): Promise<void> {
    await this.#parts.authorization.grant.sync(deadlineOf(this.#options)).catch(ignoreOurs);
    this.#parts.authorization.dispatch({ kind: "thread-opened", ...use });
  }

  /** Lets a thread use a server with the sign-in that is in force; a server that is blocked is tried again. */
  async reauthorizeThread(use: ThreadUse): Promise<boolean> {
    await this.#parts.authorization.grant.sync(deadlineOf(this.#options));
    const block = serverOf(this.#parts.authorization.state, use.server)?.block ?? null;
    if (block !== null) this.retryServer(use.server);
    const effects = this.#parts.authorization.dispatch({ kind: "thread-reauthorized", ...use });
    return !effects.some(({ kind }) => kind === "discard");
  }

  /** A thread ended: its streams end too, and what it had got beside its authorization is forgotten. */
  closeThread(thread: string): void {
    this.#parts.scopes.close(thread);
    this.#parts.authorization.dispatch({ kind: "thread-closed", thread });
  }

  /** Tries a blocked server again. */
  retryServer(server: string): void {
    this.#parts.registry.forget(server);
    this.#options.legs.forget();
    this.#parts.authorization.dispatch({ kind: "server-retried", server });
  }

  /** Stores what `work` gets, if nothing changed meanwhile. */
  signIn(
    work: (signal: AbortSignal) => Promise<GrantRecord>,
    provider: EnterpriseProvider = this.#provider,
  ): Promise<void> {
    return signIn(work, { ...this.#options, ...this.#parts, provider });
  }

  /** Signs out. `provider` says how the identity provider is asked to revoke. */
  signOut(provider: EnterpriseProvider = this.#provider): Promise<SignOutReport> {
    const signal = (): AbortSignal => deadlineOf(this.#options);
    const { legs } = this.#options;
    return signOut({ ...this.#parts, provider, legs, generation: freshGeneration(), signal });
  }

  /** A lease for a use. */
  lease(use: ThreadUse, options: ScopedLeaseOptions = {}): Promise<HandedLease> {
    const { thread, server } = use;
    const { leases, registry, scopes: memory } = this.#parts;
    return scopedLease({ thread, server }, { leases, registry, memory, ...options });
  }

  /** Sends a request with a bearer, until `signal` is aborted. */
  fetch(
    request: Request,
    { signal, ...use }: ThreadUse & { readonly signal?: AbortSignal | undefined },
  ): Promise<Response> {
    return fetchAuthenticated(request, {
      ...use,
      signal,
      ...this.#parts,
      lease: (options) => this.lease(use, options),
      fetch: this.#options.fetch ?? globalThis.fetch,
      runtime: this.#options.runtime,
      refused: (one) => this.#refused(one),
    });
  }

  /** Aborted when the use is revoked. */
  revocation(use: ThreadUse): AbortSignal {
    return this.#parts.authorization.streamSignal(use);
  }

  /** Notes what a server said about the extension. */
  noteExtension(server: string, verdict: ExtensionVerdict): void {
    this.#extensions.set(server, verdict);
  }

  /** The status of a server. */
  status(server: string, thread?: string): ServerStatus {
    return statusOf(this.#parts.authorization, {
      server,
      thread,
      fault: this.#options.faults.of(server),
      extension: this.#extensions.get(server) ?? null,
      now: this.#options.clock.now(),
    });
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#parts.leases.idle();
  }

  /** The error for a use that is refused now; a lease that is gone counts as something that changed meanwhile. */
  #refused(use: ThreadUse): EnterpriseError {
    return this.#error(serverUseRefusal(this.#parts.authorization.state, use) ?? "lease-unknown", use);
  }

  #error(refusal: UseRefusal, use: ThreadUse): EnterpriseError {
    const status = this.status(use.server, use.thread);
    const { state } = this.#parts.authorization;
    return useError(refusal, { ...use, state, status, provider: this.#providerOf(use.server).name });
  }

  #providerOf(server: string): EnterpriseProvider {
    return this.#parts.registry.find(server)?.provider ?? this.#provider;
  }
}
