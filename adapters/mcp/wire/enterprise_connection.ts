/**
 * A host's connection to an MCP server with enterprise-managed authorization, over version 2 of the MCP SDK: revision
 * 2026-07-28 first with the extension declared, else the handshake of the revisions before, declared and authenticated
 * alike. Each connection has a client of its own, so no catalog is shared between threads or sign-ins.
 *
 * Bearers are `adapters/http`'s; what a server's silence about the extension means is decided in
 * `core/enterprise/extension.ts`. MCP 2026-07-28, lifecycle and transports; MCP EMA (stable), 6.
 *
 * @module
 */

import type { Client, ClientCapabilities, Implementation } from "@modelcontextprotocol/client";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import {
  type ExtensionVerdict,
  judgeExtension,
  withEnterpriseExtension,
} from "../../../core/enterprise/extension.ts";
import { quote } from "../../../core/errors.ts";
import type { AuthenticatedFetch, EnterpriseTokens } from "../../http/tokens/enterprise_tokens.ts";

/** The classes of the SDK, version 2: `import * as sdk from "@modelcontextprotocol/client"`. */
export interface ClientSdk {
  /** Its client. */
  readonly Client: typeof Client;
  /** Its HTTP transport. */
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
}

/** What a connection is made with. */
export interface EnterpriseConnectionOptions {
  /** The SDK. */
  readonly sdk: ClientSdk;
  /** Gives the bearers. */
  readonly tokens: EnterpriseTokens;
  /** Name of the thread. */
  readonly thread: string;
  /** The server, as configured. */
  readonly server: Pick<EnterpriseServer, "name" | "url" | "requireExtension">;
  /** Who we are. */
  readonly clientInfo: Implementation;
  /** What the client can do, beside the extension. */
  readonly capabilities?: ClientCapabilities;
  /** Prepares the client before it connects: handlers and the like. */
  readonly prepare?: (client: Client) => void;
  /** What each request goes through before it gets its bearer; absent: nothing. */
  readonly gate?: RequestGate;
  /** Milliseconds that each step of the handshake may take; absent: the SDK's own. */
  readonly timeout?: number;
  /** Ends the connecting; once it is done, nothing. */
  readonly signal?: AbortSignal;
}

/** What the requests of a connection go through. */
export interface RequestGate {
  /** Does `work`, which looks whether there is a bearer, unless nothing may be sent. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Puts itself before `send`, which puts the bearer on. */
  around(send: AuthenticatedFetch): AuthenticatedFetch;
}

/** A connection. */
export interface EnterpriseConnection {
  /** The client, connected. */
  readonly client: Client;
  /** What the server said about the extension. */
  readonly extension: Exclude<ExtensionVerdict, "required">;
  /** Aborted when the thread's use of the server is revoked: its streams have ended, and its next call is refused. */
  readonly revoked: AbortSignal;
  /** Ends the connection. */
  close(): Promise<void>;
}

/**
 * Opens the thread at the server and connects. A revoked thread is refused: it must be authorized again first.
 *
 * @throws {EnterpriseError} `EXTENSION_REQUIRED` when the configuration requires the extension, and the server does not
 * advertise it.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when the server does not answer, or answers 429 or 5xx.
 * @throws {EnterpriseError} `ADMINISTRATOR_REFUSED` when the server answers 403 without asking for anything.
 * @throws {EnterpriseError} `SIGN_IN_REQUIRED`, `REAUTHORIZATION_REQUIRED` or another code when the thread gets no
 * bearer.
 *
 * An error of the SDK comes as it is: it may quote what the server wrote.
 */
export async function connectEnterprise(options: EnterpriseConnectionOptions): Promise<EnterpriseConnection> {
  const { sdk, tokens, thread, server, clientInfo, capabilities = {}, gate, timeout, signal } = options;
  const use = { thread, server: server.name };
  signal?.throwIfAborted();
  await tokens.openThread(use);
  const revoked = tokens.revocation(use);
  const client = new sdk.Client(clientInfo, {
    capabilities: withEnterpriseExtension(capabilities) as ClientCapabilities,
    versionNegotiation: { mode: "auto" },
  });
  options.prepare?.(client);
  const plain = tokens.authenticatedFetch(use);
  const send = gate?.around(plain) ?? plain;
  let connecting = true;
  const token = (): Promise<string> => {
    const ask = (): Promise<string> => tokens.token(use, connecting ? signal : undefined);
    return gate === undefined ? ask() : gate.during(ask);
  };
  const transport = new sdk.StreamableHTTPClientTransport(new URL(server.url), {
    // asked first, so that the SDK takes what it throws for a refusal and not for an old server
    authProvider: { token },
    fetch: async (url, init) => checkAnswer(await send(url, init), server.name),
    onInsufficientScope: "throw",
    requestInit: { redirect: "manual" },
  });
  const abort = (): void => void transport.close();
  try {
    signal?.addEventListener("abort", abort);
    signal?.throwIfAborted();
    await client.connect(transport, timeout === undefined ? {} : { timeout });
    signal?.throwIfAborted();
  } catch (error) {
    await transport.close();
    throw enterpriseErrorIn(error) ?? error;
  } finally {
    connecting = false;
    signal?.removeEventListener("abort", abort);
  }
  const extension = judgeExtension({
    capabilities: client.getServerCapabilities(),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
    required: server.requireExtension,
  });
  tokens.noteExtension(server.name, extension);
  if (extension !== "required") return { client, extension, revoked, close: () => client.close() };
  await client.close();
  const state = "it does not advertise enterprise-managed authorization, and require_extension asks for it";
  throw new EnterpriseError("EXTENSION_REQUIRED", `Cannot use the server ${quote(server.name)}: ${state}`);
}

/** Hands an answer to the SDK, unless it is one whose body the SDK would quote in an error. */
async function checkAnswer(response: Response, server: string): Promise<Response> {
  const { status } = response;
  const outage = status === 429 || status >= 500;
  if (!outage && status !== 401 && status !== 403) return response;
  await response.body?.cancel();
  const what = `Cannot use the server ${quote(server)}`;
  if (outage) {
    const message = `${what}: it answered ${status}. Try again later`;
    throw new EnterpriseError("TEMPORARILY_UNAVAILABLE", message, { reason: "status" });
  }
  throw new EnterpriseError("ADMINISTRATOR_REFUSED", `${what}: it answered ${status} to a bearer of ours`, {
    reason: "forbidden",
  });
}

/** The error of ours that the SDK wrapped; `null` when there is none. */
export function enterpriseErrorIn(error: unknown): EnterpriseError | null {
  for (let one = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth += 1) {
    if (one instanceof EnterpriseError) return one;
  }
  return null;
}
