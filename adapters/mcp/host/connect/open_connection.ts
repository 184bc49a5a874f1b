/**
 * One life of a connection, from the moment it is there until it is gone.
 *
 * @module
 */

import { HostError, quote } from "../../../../core/errors.ts";
import type { ClockPort } from "../../../../core/ports/clock.ts";
import { redactError } from "../../../http/transport/redact.ts";
import type { Connected } from "./attempt.ts";
import type { ConnectionFailure, OpenConnection } from "./server_connection.ts";
import { followToolChanges } from "./tool_changes.ts";

/** What a life is made with. */
export interface OpenedConnectionOptions {
  /** Which it is. */
  readonly number: number;
  /** Name of the server. */
  readonly server: string;
  /** Tells the time, and waits. */
  readonly clock: ClockPort;
  /** A number from 0 up to 1, for the jitter. */
  readonly random: () => number;
  /** Told of what went wrong beside a request. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Called when changed tools could have been missed. */
  readonly onToolsMissed: () => void;
  /** Takes the ending of the server. */
  readonly onEnding: (ending: Promise<void>) => void;
  /** Called once when it went away by itself. */
  readonly onLost: (failure: ConnectionFailure) => void;
}

/** A life. */
export class OpenedConnection {
  /** What the rest of the host gets. */
  readonly open: OpenConnection;
  readonly #connected: Connected;
  readonly #options: OpenedConnectionOptions;
  readonly #closed = new AbortController();
  readonly #noted = new Set<string>();

  /** Begins it. */
  constructor(connected: Connected, options: OpenedConnectionOptions) {
    const { client, carrier } = connected;
    this.#connected = connected;
    this.#options = options;
    this.open = {
      number: options.number,
      client,
      era: client.getProtocolEra() === "modern" ? "modern" : "legacy",
      protocol: client.getNegotiatedProtocolVersion() ?? "unknown",
      capabilities: client.getServerCapabilities() ?? {},
      transport: carrier.kind,
      closed: this.#closed.signal,
      exact: (text) => carrier.transport.exact(text),
      resumptions: () => carrier.resumptions(),
    };
    client.onclose = () => this.#lost();
    client.onerror = (error) => this.#note(error);
    // it may have gone away in the moment since it was made
    if (client.transport === undefined) this.#lost();
    void followToolChanges(client, {
      clock: options.clock,
      closed: this.#closed.signal,
      random: options.random,
      onMissed: options.onToolsMissed,
    });
  }

  /** Ends it, and the server that was started; `reason` is what its callers are told. */
  end(reason: HostError): void {
    this.#closed.abort(reason);
    this.#options.onEnding(this.#connected.carrier.transport.close());
  }

  /**
   * Tells of each kind of error once: a server may send progress of a call that was cancelled for as long as it
   * likes.
   */
  #note(error: Error): void {
    const { name, code } = redactError(error);
    const kind = code ?? name;
    if (this.#noted.has(kind)) return;
    this.#noted.add(kind);
    this.#options.onNote?.(`The connection to the server ${quote(this.#options.server)} reports ${kind}.`);
  }

  #lost(): void {
    if (this.#closed.signal.aborted) return;
    const { server, onEnding, onLost } = this.#options;
    const { transport, ended } = this.#connected.carrier;
    const { reason, state } = ended() ?? { reason: "ended", state: "it closed the connection" };
    const message = `Cannot use the server ${quote(server)}: ${state}`;
    this.#closed.abort(new HostError("CONNECTION_LOST", message, { server }));
    onEnding(transport.close());
    onLost({ code: "SERVER_UNAVAILABLE", reason, message });
  }
}
