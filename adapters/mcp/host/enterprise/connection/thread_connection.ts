/**
 * One life of a thread's connection to an enterprise server: made behind a gate of its own, with a client of its own,
 * so that nothing of it is shared with another thread, account or generation. It ends in one of two ways: at once, or
 * after the calls that are in flight have returned.
 *
 * When it begins and ends is decided in `adapters/mcp/host/enterprise/threads/thread_server.ts`; how it speaks in
 * `wire/enterprise_connection.ts`.
 *
 * @module
 */

import type { ThreadUse } from "../../../../../core/enterprise/authorization/use.ts";
import type { EnterpriseServer } from "../../../../../core/enterprise/config/server.ts";
import type { ClockPort } from "../../../../../core/ports/clock.ts";
import { connectEnterprise, type EnterpriseConnection } from "../../../wire/enterprise_connection.ts";
import type { AccountTokens } from "../accounts/account_tokens.ts";
import { changedMeanwhile, connectError, connectionLost, SERVER_LATE, tokenLate } from "../errors.ts";
import type { EnterpriseOpenConnection } from "../open_connection.ts";
import type { EnterpriseServersOptions } from "../options.ts";
import { watchCatalog } from "./catalog_watch.ts";
import { ConnectionGate, type ConnectionGates } from "./connection_gates.ts";

/** Seconds that an answer has to reach its caller once the last of its bytes was read. */
const DELIVERY_SECONDS = 1;

/** What a life is made with. */
export interface ThreadConnectionOptions {
  /** The thread and the server. */
  readonly use: ThreadUse;
  /** The server, as configured. */
  readonly server: EnterpriseServer;
  /** The tokens of the thread's account. */
  readonly account: AccountTokens;
  /** Which life it is. */
  readonly number: number;
  /** What the enterprise servers work with. */
  readonly enterprise: EnterpriseServersOptions;
  /** Where requests leave. */
  readonly gates: ConnectionGates;
  /** Called for each error that a request of it failed with. */
  readonly onFailed: (error: unknown) => void;
  /** Called when the server says that its tools have changed. */
  readonly onCatalogChanged: () => void;
  /** Called once it is closed. */
  readonly onClosed: (life: ThreadConnection) => void;
  /** Told what is to be said when connecting takes too long. */
  readonly waitsFor: (late: string) => void;
}

/** One life of a connection. */
export class ThreadConnection {
  /** The connection, for the rest of the host. */
  readonly open: EnterpriseOpenConnection;
  readonly #connection: EnterpriseConnection;
  readonly #gate: ConnectionGate;
  readonly #closed: AbortController;
  readonly #onClosed: (life: ThreadConnection) => void;
  readonly #clock: Pick<ClockPort, "sleep">;

  private constructor({ server, open, connection, gate, closed, clock, onClosed }: LifeParts) {
    this.open = open;
    this.#connection = connection;
    this.#gate = gate;
    this.#closed = closed;
    this.#onClosed = onClosed;
    this.#clock = clock;
    connection.client.onclose = () => void this.close(connectionLost(server, "it is gone"));
  }

  /**
   * Connects. Aborting `signal` ends that.
   *
   * @throws {EnterpriseError} `SIGN_IN_REQUIRED` or another code when the thread may not use the server.
   * @throws {HostError} `SERVER_UNAVAILABLE` when it does not speak the protocol, `SERVER_TIMEOUT` when it is silent.
   */
  static async begin(options: ThreadConnectionOptions, signal: AbortSignal): Promise<ThreadConnection> {
    const { use, server, account, number, enterprise, gates } = options;
    let life: ThreadConnection | null = null;
    const { waitsFor } = options;
    waitsFor(tokenLate(use.server));
    const gate = new ConnectionGate({
      onWork: (begins) => waitsFor(begins ? tokenLate(use.server) : SERVER_LATE),
      onFailed: options.onFailed,
      onSessionLost: () => life?.end(connectionLost(use.server, "the server has forgotten its session")),
    });
    const release = gates.open(gate);
    const shut = (): void => gate.close(signal.reason);
    signal.addEventListener("abort", shut);
    try {
      const connection = await connectEnterprise({
        sdk: enterprise.sdk,
        tokens: account.tokens,
        thread: use.thread,
        server,
        clientInfo: enterprise.clientInfo,
        ...(enterprise.capabilities === undefined ? {} : { capabilities: enterprise.capabilities }),
        prepare: (client) => enterprise.prepare?.(client, use),
        gate,
        signal,
      });
      const generation = account.generationOf(use);
      if (generation === null || signal.aborted) {
        await connection.close();
        throw signal.reason ?? account.refusal({ ...use, revoked: null }) ?? changedMeanwhile(use.server);
      }
      const closed = new AbortController();
      const open = openConnection({ connection, gate, closed, account, generation, number });
      life = new ThreadConnection({
        server: use.server,
        open,
        connection,
        gate,
        closed,
        clock: enterprise.clock,
        onClosed: (closed) => {
          release();
          options.onClosed(closed);
        },
      });
      if (enterprise.watchCatalog !== false) {
        const { onCatalogChanged: onChanged } = options;
        void watchCatalog(connection.client, { onChanged, clock: enterprise.clock, signal: gate.shut });
      }
      return life;
    } catch (error) {
      release();
      if (signal.aborted) throw signal.reason;
      waitsFor(tokenLate(use.server));
      throw await account.keyring.explain(connectError(error, use.server), use.server);
    } finally {
      signal.removeEventListener("abort", shut);
    }
  }

  /** Whether it can be used. */
  get alive(): boolean {
    return !this.#gate.shut.aborted;
  }

  /** Ends it: nothing more is sent, streams end, and it is closed when the calls in flight have returned. */
  end(error: Error): void {
    if (!this.alive) return;
    this.#gate.close(error);
    void this.#drain().then(() => this.close(error));
  }

  /** Ends it at once. Calls in flight are lost. */
  async close(error: Error): Promise<void> {
    this.#gate.close(error);
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(error);
    await this.#connection.close();
    this.#onClosed(this);
  }

  async #drain(): Promise<void> {
    if (await this.#gate.drained()) await this.#clock.sleep(DELIVERY_SECONDS, this.#closed.signal);
  }
}

interface LifeParts {
  readonly server: string;
  readonly open: EnterpriseOpenConnection;
  readonly connection: EnterpriseConnection;
  readonly gate: ConnectionGate;
  readonly closed: AbortController;
  readonly clock: Pick<ClockPort, "sleep">;
  readonly onClosed: (life: ThreadConnection) => void;
}

interface OpenParts extends Omit<LifeParts, "server" | "open" | "clock" | "onClosed"> {
  readonly account: AccountTokens;
  readonly generation: string;
  readonly number: number;
}

function openConnection(
  { connection, gate, closed, account, generation, number }: OpenParts,
): EnterpriseOpenConnection {
  const { client, extension } = connection;
  return {
    number,
    client,
    era: client.getProtocolEra() === "modern" ? "modern" : "legacy",
    protocol: client.getNegotiatedProtocolVersion() ?? "",
    capabilities: client.getServerCapabilities() ?? {},
    transport: "http",
    closed: closed.signal,
    exact: (text) => gate.exact(text),
    resumptions: () => gate.resumptions,
    account: account.account.name,
    grantGeneration: generation,
    extension,
    revoked: gate.shut,
  };
}
