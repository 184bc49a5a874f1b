/**
 * One thread's use of one enterprise server: keeps its authorization while the connection is made anew, loses it at
 * once when it is revoked, and stays revoked, whatever its account is later, until a person authorizes it again.
 *
 * What revokes is decided in `core/enterprise/authorization/`, and in `enterprise_thread.ts` where the account changes.
 *
 * @module
 */

import type { RevokedReason } from "../../../../../core/enterprise/authorization/state.ts";
import type { ThreadUse } from "../../../../../core/enterprise/authorization/use.ts";
import type { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import type { ServerStatus } from "../../../../../core/enterprise/status/status.ts";
import type { HostError } from "../../../../../core/errors.ts";
import type { AccountTokens } from "../accounts/account_tokens.ts";
import { ThreadConnection, type ThreadConnectionOptions } from "../connection/thread_connection.ts";
import { accountChanged, changedMeanwhile, connectionLost } from "../errors.ts";
import type { EnterpriseAuthority, EnterpriseOpenConnection } from "../open_connection.ts";
import type { ConnectOptions } from "../options.ts";
import { JoinedWork } from "./joined_work.ts";
import { SubjectEvents } from "./subject_events.ts";

/** What a use works with. */
export interface ThreadServerOptions
  extends Pick<ThreadConnectionOptions, "use" | "account" | "enterprise" | "gates"> {
  /** The server as it is configured now. */
  readonly server: () => ThreadConnectionOptions["server"] | undefined;
  /** Why it is revoked from the beginning: a thread of this name was; `null`: it is not. */
  readonly revoked: RevokedReason | null;
}

/** One thread's use of one server. */
export class ThreadServer {
  /** The thread and the server. */
  readonly use: ThreadUse;
  readonly #options: ThreadServerOptions;
  readonly #making: JoinedWork<ThreadConnection>;
  readonly #events: SubjectEvents;
  #account: AccountTokens;
  #revoked: RevokedReason | null;
  #closed: HostError | null = null;
  readonly #lives = new Set<ThreadConnection>();
  #life: ThreadConnection | null = null;
  #number = 0;
  #switches = 0;
  #generation: string | null = null;

  /** Nothing is sent yet. */
  constructor(options: ThreadServerOptions) {
    this.#options = options;
    this.use = options.use;
    this.#account = options.account;
    this.#revoked = options.revoked;
    this.#events = new SubjectEvents(options.use, {
      account: () => this.#account.account.name,
      onEvent: options.enterprise.onEvent,
    });
    this.#making = new JoinedWork((signal, waitsFor) => this.#make(signal, waitsFor), options.use.server);
  }

  /** Why it is revoked; `null`: it is not. */
  get revoked(): RevokedReason | null {
    return this.#revoked;
  }

  /** What a call would be issued under now; `null`: it would be refused, or the first connection decides. */
  get authority(): EnterpriseAuthority | null {
    const generation = this.refusal() === null ? this.#account.generationOf(this.use) : null;
    return generation === null ? null : { account: this.#account.account.name, generation };
  }

  /** Why a call would be refused now, as far as is known without asking anybody; `null`: it would not. */
  refusal(): EnterpriseError | HostError | null {
    return this.#closed ?? this.#account.refusal({ ...this.use, revoked: this.#revoked });
  }

  /** The status. */
  status(): ServerStatus {
    return this.#account.status({ ...this.use, revoked: this.#revoked });
  }

  /**
   * The connection, made when there is none that fits.
   *
   * @throws {EnterpriseError} `SIGN_IN_REQUIRED` or another code when the thread may not use the server.
   * @throws {HostError} `CALL_CANCELLED`, `SERVER_TIMEOUT`, `SERVER_UNAVAILABLE` or `THREAD_CLOSED` as the name says.
   */
  async connection(options: ConnectOptions = {}): Promise<EnterpriseOpenConnection> {
    if (this.#closed !== null) throw this.#closed;
    this.#making.check(options);
    const life = this.#life;
    if (life?.alive && life.open.grantGeneration === this.#account.generationOf(this.use)) return life.open;
    try {
      return (await this.#making.join(options)).open;
    } catch (error) {
      this.#events.failed(error);
      throw error;
    }
  }

  /** The thread works for another account from now on. What it was authorized for is revoked. */
  setAccount(account: AccountTokens): void {
    const before = this.#account;
    const begun = this.#making.busy && before.account.kind !== "nobody";
    const error = accountChanged(this.use.server);
    if (begun || before.wasAuthorized(this.use)) this.revoke("account-changed", error);
    this.#account = account;
    this.#switches += 1;
    this.#events.renew();
    this.#stop(error);
  }

  /** Takes the authorization away, for the first reason that is given. `error` is what whoever waits gets. */
  revoke(reason: RevokedReason, error?: EnterpriseError): void {
    if (this.#closed !== null) return;
    const first = this.#revoked === null;
    this.#revoked ??= reason;
    this.#generation = null;
    this.#events.renew();
    this.#stop(error ?? this.refusal() ?? changedMeanwhile(this.use.server));
    if (first) this.#events.tell({ kind: "authorization-revoked", reason });
  }

  /** Authorizes it with the sign-in that is in force: a person asked for it. `false`: there is none to use. */
  async reauthorize(): Promise<boolean> {
    const switches = this.#switches;
    const done = await this.#account.reauthorize(this.use);
    if (switches !== this.#switches || this.#closed !== null) return false;
    if (done) this.#revoked = null;
    if (done) this.#events.renew();
    else this.#events.failed(this.refusal());
    return done;
  }

  /** Ends the connection once its calls have returned, and keeps the authorization. */
  reconnect(): void {
    this.#life?.end(connectionLost(this.use.server, "it is made anew"));
  }

  /** Tells that the configuration was loaded anew, where the authorization outlived that. */
  noteLoaded(): void {
    if (!this.#life?.alive) return;
    const { number, protocol } = this.#life.open;
    this.#events.tell({ kind: "refreshed", because: "configuration", number, protocol });
  }

  /** Ends it for good. Calls in flight are lost. */
  async close(error: HostError): Promise<void> {
    const closed = this.#closed ??= error;
    this.#making.abort(closed);
    await Promise.all([...this.#lives].map((life) => life.close(closed)));
  }

  async #make(signal: AbortSignal, waitsFor: ThreadConnectionOptions["waitsFor"]): Promise<ThreadConnection> {
    const account = this.#account;
    const { use } = this;
    await account.ready();
    if (this.#revoked !== null) await account.look(use.server);
    signal.throwIfAborted();
    const server = this.#options.server();
    if (this.#revoked !== null || server === undefined) throw this.refusal() ?? changedMeanwhile(use.server);
    const refusal = account.byConfiguration(use.server);
    if (refusal !== null) throw refusal;
    const number = this.#number += 1;
    const life = await ThreadConnection.begin({
      ...this.#options,
      account,
      server,
      number,
      waitsFor,
      onFailed: (error) => this.#events.failed(error),
      onCatalogChanged: () => this.#events.tell({ kind: "catalog-changed" }),
      onClosed: (closed) => {
        this.#lives.delete(closed);
        this.#events.tell({ kind: "disconnected", number });
      },
    }, signal);
    if (!signal.aborted) return this.#adopt(life);
    await life.close(signal.reason);
    throw signal.reason;
  }

  #adopt(life: ThreadConnection): ThreadConnection {
    const { number, protocol, extension, grantGeneration } = life.open;
    const kept = this.#generation === grantGeneration;
    this.#life?.end(changedMeanwhile(this.use.server));
    this.#life = life;
    this.#lives.add(life);
    this.#generation = grantGeneration;
    this.#events.renew();
    if (kept) this.#events.tell({ kind: "refreshed", because: "reconnected", number, protocol });
    else this.#events.tell({ kind: "connected", number, protocol, extension });
    return life;
  }

  #stop(error: Error): void {
    this.#making.abort(error);
    this.#life?.end(error);
  }
}
