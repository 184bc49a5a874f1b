/**
 * A host's connection to one ordinary MCP server, over all its lives: what the rest of the host sees of it, and what
 * it is made with. `create_connection.ts` makes it.
 *
 * @module
 */

import type { Client, ClientCapabilities, ClientOptions, Implementation } from "@modelcontextprotocol/client";
import type { ServerCapabilities } from "@modelcontextprotocol/client";
import type { HttpEntry, StdioEntry } from "../../../../core/configuration/entry.ts";
import type { HostErrorCode } from "../../../../core/errors.ts";
import type { JsonValue } from "../../../../core/json/value.ts";
import type { ClockPort } from "../../../../core/ports/clock.ts";
import type { ProcessPort } from "../../../../core/ports/process.ts";
import type { Platform } from "../../../../core/sandbox/path.ts";
import type { SendingRuntime } from "../../../http/transport/sending.ts";
import type { ProcessGuard } from "../../../sandbox/guard.ts";

/** What kind of failure it is. */
export type ConnectionFailureReason =
  /** There is no such program, it may not be executed, or it takes a shell. */
  | "program"
  /** The working directory does not exist. */
  | "directory"
  /** The system refused to start the program. */
  | "spawn"
  /** The server ended, or closed its output. */
  | "ended"
  /** A variable that the configuration names is not set, or is empty. */
  | "variable"
  /** A header field of the configuration cannot be sent. */
  | "header"
  /** The URL of the configuration cannot be used. */
  | "url"
  /** There was no answer: network, TLS, or nobody listens. */
  | "network"
  /** The server answered with a status that is a refusal; 401 and 403 mean its credentials. */
  | "status"
  /** The server sends requests elsewhere. */
  | "redirect"
  /** The runtime would not send safely: certificates are not checked, or plain http for this machine takes a proxy. */
  | "sending"
  /** The server ended the session. */
  | "session"
  /** The server speaks none of the revisions that are asked for, or answers with what is none of the protocol. */
  | "protocol"
  /** It was not ready in its time. */
  | "timeout";

/** Why there is no connection. */
export interface ConnectionFailure {
  /** Code of the error. */
  readonly code: HostErrorCode;
  /** What kind of failure it is. */
  readonly reason: ConnectionFailureReason;
  /** What happened, for people. Nothing that the server wrote is in it, and no argument, variable, header or url. */
  readonly message: string;
  /** Status of the HTTP answer, with `reason` `"status"`. */
  readonly status?: number;
}

/** Where a connection stands. Times are epoch seconds. */
export type ConnectionState =
  /** Nobody needed it yet. */
  | { readonly kind: "idle" }
  /** It is being made. */
  | { readonly kind: "connecting"; readonly since: number }
  /** It is there. */
  | {
    readonly kind: "ready";
    readonly since: number;
    readonly protocol: string;
    readonly era: "modern" | "legacy";
    /** Whether the server asks for the sandbox state of a turn. */
    readonly acceptsSandbox: boolean;
  }
  /** It failed, and is not tried before `until`. */
  | { readonly kind: "waiting"; readonly until: number; readonly reason: ConnectionFailure }
  /** It failed, and is tried when somebody needs it. */
  | { readonly kind: "failed"; readonly reason: ConnectionFailure }
  /** It was closed for good. */
  | { readonly kind: "closed" };

/** One life of a connection. */
export interface OpenConnection {
  /** Which life it is; counts up for each server, from 1. */
  readonly number: number;
  /** The client, connected. Its `onclose` and its handler of changed tools belong to the connection. */
  readonly client: Client;
  /** Whether it speaks 2026-07-28 or later, or the handshake of 2025. */
  readonly era: "modern" | "legacy";
  /** The revision of the protocol. */
  readonly protocol: string;
  /** What the server offers. */
  readonly capabilities: ServerCapabilities;
  /** How the server is reached. */
  readonly transport: "stdio" | "http";
  /** Aborted when it is gone; the reason is a {@linkcode HostError} `CONNECTION_LOST`. */
  readonly closed: AbortSignal;
  /**
   * A stand-in for a JSON text that goes out exactly as it is, in any number of messages of this life: a retry of a
   * call may carry it again. Sending one that was displaced by many others fails; it never goes out as itself.
   * Throws a `SyntaxError` when the text is not JSON.
   */
  exact(text: string): JsonValue;
  /** How many times a stream was resumed so far (`Last-Event-ID`); 0 over stdio. */
  resumptions(): number;
}

/** A connection over all its lives. */
export interface ServerConnection {
  /** The server, as configured. */
  readonly entry: StdioEntry | HttpEntry;
  /** Where it stands. */
  state(): ConnectionState;
  /**
   * The end (64 KiB) of what the server wrote to standard error in all its lives, safe for a terminal; empty over
   * HTTP. It may hold whatever the server writes, secrets included: never put it into an error.
   */
  stderrTail(): string;
  /**
   * The connection, made when there is none. Callers at the same time share one attempt. After a failure the next
   * attempt waits for its turn (250 ms, doubled up to 30 s, less after 30 s of health); a caller for whom that is
   * longer than the server's start-up time is refused at once.
   *
   * Rejects with the reason of `signal` when that is aborted first; the attempt goes on for others.
   *
   * @throws {HostError} `SERVER_UNAVAILABLE` when the server cannot be started or reached, or the connection is closed.
   * @throws {HostError} `SERVER_TIMEOUT` when it is not ready in its time.
   * @throws {HostError} `SERVER_DISABLED` when a variable or a header field of the configuration cannot be used, or the
   * runtime would not send safely.
   */
  open(signal?: AbortSignal): Promise<OpenConnection>;
  /** Calls `listener` whenever the state changes. Gives back what ends that. */
  onChange(listener: (state: ConnectionState) => void): () => void;
  /**
   * Calls `listener` when the server says that its tools have changed, and when that could have been missed (its
   * subscription was cut and taken up again). Gives back what ends that.
   */
  onCatalogChanged(listener: () => void): () => void;
  /** Ends it for good, and the server that was started. Resolves when no process of it is left. */
  close(): Promise<void>;
}

/** What connections are made with. */
export interface ServerConnectionOptions {
  /** Starts servers. */
  readonly processes: ProcessPort;
  /** Ends them when the host is killed. */
  readonly guard?: ProcessGuard | undefined;
  /** Tells the time, and waits. */
  readonly clock: ClockPort;
  /** The host's own environment, a snapshot; what of it a server gets is decided in `stdio/server_environment.ts`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whose paths and variables these are. */
  readonly platform: Platform;
  /** Absolute path of the host's working directory, for a server that has none of its own. */
  readonly directory: string;
  /** How the runtime sends HTTP requests. It is asked before each that may hold a credential or a state. */
  readonly runtime: SendingRuntime;
  /** Sends HTTP requests; absent: the runtime's own. It must leave redirects to its caller when told so. */
  readonly fetch?: typeof fetch | undefined;
  /** Who we are. */
  readonly clientInfo: Implementation;
  /** What the client can do. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Class of the clients; absent: the SDK's own. */
  readonly client?: typeof Client | undefined;
  /** More options of the clients. */
  readonly clientOptions?:
    | Omit<ClientOptions, "capabilities" | "versionNegotiation" | "listChanged" | "supportedProtocolVersions">
    | undefined;
  /** Prepares each client before it connects: handlers of what servers ask for. */
  readonly prepare?: ((client: Client) => void) | undefined;
  /** Told of what went wrong beside a request, as text of ours. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** A number from 0 up to 1, for the jitter; absent: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Milliseconds that each step of ending a server may take; absent: 2,000. */
  readonly closeMs?: number | undefined;
}
