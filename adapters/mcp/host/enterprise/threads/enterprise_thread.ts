/**
 * One thread of a host at all enterprise servers: whose account it works for, and what becomes of its servers when that
 * changes.
 *
 * One server is `thread_server.ts`'s; the threads of a host are `create_enterprise_servers.ts`'s.
 *
 * @module
 */

import type { RevokedReason } from "../../../../../core/enterprise/authorization/state.ts";
import type { HostError } from "../../../../../core/errors.ts";
import type { AccountTokens } from "../accounts/account_tokens.ts";
import { ThreadServer, type ThreadServerOptions } from "./thread_server.ts";

/** What a thread works with. */
export interface EnterpriseThreadOptions
  extends Pick<ThreadServerOptions, "account" | "enterprise" | "gates"> {
  /** Its name. */
  readonly thread: string;
  /** A server as it is configured now. */
  readonly server: (name: string) => ReturnType<ThreadServerOptions["server"]>;
  /** Why a thread of this name was revoked at servers before it was closed, by server. */
  readonly revoked: ReadonlyMap<string, RevokedReason>;
}

/** One thread. */
export class EnterpriseThread {
  /** Its name. */
  readonly thread: string;
  readonly #options: EnterpriseThreadOptions;
  readonly #servers = new Map<string, ThreadServer>();
  #account: AccountTokens;
  #hadAccount: boolean;

  /** Opens it: nothing is sent. */
  constructor(options: EnterpriseThreadOptions) {
    this.#options = options;
    this.thread = options.thread;
    this.#account = options.account;
    this.#hadAccount = options.account.account.kind === "host";
  }

  /** The tokens it works with. */
  get account(): AccountTokens {
    return this.#account;
  }

  /** Whether it ever had an account of the host's: then none means that the account is signed out. */
  get hadAccount(): boolean {
    return this.#hadAccount;
  }

  /** Its servers, as far as it used them. */
  get servers(): readonly ThreadServer[] {
    return [...this.#servers.values()];
  }

  /** Its use of the server of this name, whether or not there is one. */
  at(server: string): ThreadServer {
    const known = this.#servers.get(server) ?? new ThreadServer({
      use: { thread: this.thread, server },
      account: this.#account,
      enterprise: this.#options.enterprise,
      gates: this.#options.gates,
      server: () => this.#options.server(server),
      revoked: this.#options.revoked.get(server) ?? null,
    });
    this.#servers.set(server, known);
    return known;
  }

  /** It works for another account from now on. The same one changes nothing. */
  setAccount(account: AccountTokens): void {
    if (account === this.#account) return;
    const before = this.#account;
    this.#account = account;
    this.#hadAccount ||= account.account.kind === "host";
    for (const server of this.#servers.values()) server.setAccount(account);
    before.tokens.closeThread(this.thread);
  }

  /** What was revoked, by server: a thread of the same name stays revoked. */
  revocations(): ReadonlyMap<string, RevokedReason> {
    const revoked = new Map(this.#options.revoked);
    for (const { use, revoked: reason } of this.#servers.values()) {
      if (reason === null) revoked.delete(use.server);
      else revoked.set(use.server, reason);
    }
    return revoked;
  }

  /** Ends it. Calls in flight are lost. */
  async close(error: HostError): Promise<void> {
    this.#account.tokens.closeThread(this.thread);
    await Promise.all([...this.#servers.values()].map((server) => server.close(error)));
  }
}
