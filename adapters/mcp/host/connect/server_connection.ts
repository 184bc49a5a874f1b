/**
 * A host's connection to one ordinary MCP server, over all its lives: what the rest of the host sees of it.
 *
 * @module
 */

import type { Client, ServerCapabilities } from "@modelcontextprotocol/client";
import type { HttpEntry, StdioEntry } from "../../../../core/configuration/entry.ts";
import type { JsonValue } from "../../../../core/json/value.ts";

/** Why there is no connection. */
export interface ConnectionFailure {
  /** Code of the error. */
  readonly code: string;
  /** What happened, for people. Nothing of what the server wrote is in it. */
  readonly message: string;
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
  }
  /** It failed, and is not tried before `until`. */
  | { readonly kind: "waiting"; readonly until: number; readonly reason: ConnectionFailure }
  /** It failed, and is tried when somebody needs it. */
  | { readonly kind: "failed"; readonly reason: ConnectionFailure }
  /** It was closed for good. */
  | { readonly kind: "closed" };

/** One life of a connection. */
export interface OpenConnection {
  /** Which life it is; counts up for each server. */
  readonly number: number;
  /** The client, connected. */
  readonly client: Client;
  /** Whether it speaks 2026-07-28 or later, or the handshake of 2025. */
  readonly era: "modern" | "legacy";
  /** The revision of the protocol. */
  readonly protocol: string;
  /** What the server offers. */
  readonly capabilities: ServerCapabilities;
  /** How the server is reached. */
  readonly transport: "stdio" | "http";
  /** Aborted when it is gone. */
  readonly closed: AbortSignal;
  /** A stand-in for a JSON text that goes out exactly as it is. Throws a `SyntaxError` when it is not JSON. */
  exact(text: string): JsonValue;
  /** How many times a stream was resumed so far; 0 over stdio. */
  resumptions(): number;
}

/** A connection over all its lives. */
export interface ServerConnection {
  /** The server, as configured. */
  readonly entry: StdioEntry | HttpEntry;
  /** Where it stands. */
  state(): ConnectionState;
  /** The end of what the server wrote to standard error, safe for a terminal; empty over HTTP. */
  stderrTail(): string;
  /**
   * The connection, made when there is none.
   *
   * @throws {HostError} `SERVER_UNAVAILABLE` when the server cannot be started or reached.
   * @throws {HostError} `SERVER_TIMEOUT` when it is not ready in its time.
   */
  open(signal?: AbortSignal): Promise<OpenConnection>;
  /** Calls `listener` whenever the state changes. Gives back what ends that. */
  onChange(listener: (state: ConnectionState) => void): () => void;
  /** Calls `listener` when the server says that its tools have changed. Gives back what ends that. */
  onCatalogChanged(listener: () => void): () => void;
  /** Ends it for good, and the server that was started. */
  close(): Promise<void>;
}
