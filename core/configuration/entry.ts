/**
 * One configured MCP server, whatever file it stands in: how it is reached, what it may do and how long it may take.
 *
 * What the layers say about every server is decided in `servers.ts`; enterprise servers are `core/enterprise/config`'s,
 * and are carried here whole. What an entry holds may be secret (`env`, `args`, `url`, `headers`, `unknown`): none is
 * ever printed or written to a file.
 *
 * @module
 */

import type { EnterpriseServer } from "../enterprise/config/server.ts";
import type { JsonValue } from "../json/value.ts";
import type { LayerName } from "./layers/layer.ts";

/** Which protocol is spoken: what the server knows, the handshake of 2025, or exactly this revision. */
export type ProtocolChoice = "auto" | "legacy" | "2026-07-28";

/** What every server has. */
export interface ServerSettings {
  /** Its name: any text of 1 to 200 characters without control characters. */
  readonly name: string;
  /** Whether it is switched on; one that is not is configured and not connected to. */
  readonly enabled: boolean;
  /** Name of its execution environment; `"local"` is the default one. */
  readonly environment: string;
  /** Which protocol is spoken. */
  readonly protocol: ProtocolChoice;
  /** The only tools that may be used, each once; `null`: all. */
  readonly enabledTools: readonly string[] | null;
  /** Tools that may not be used, each once, whatever the list before says. */
  readonly disabledTools: readonly string[];
  /** Milliseconds until the server has to be ready: 1 to 2,147,483,647. */
  readonly startupTimeoutMs: number;
  /** Milliseconds that a call may take: 1 to 2,147,483,647. */
  readonly toolTimeoutMs: number;
  /** The strongest layer that names it. */
  readonly layer: LayerName;
  /** Fields that nobody here knows, as they came; what JSON cannot hold (dates, large integers) as its text. */
  readonly unknown: Readonly<Record<string, JsonValue>>;
}

/** A server that the host starts and speaks to over its standard input and output. */
export interface StdioEntry extends ServerSettings {
  /** Tells the kinds apart. */
  readonly kind: "stdio";
  /** The program: a path, or a name that is looked up on `PATH`. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Variables that it gets. They may hold secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables of the host, each once, that it gets besides the base list when they are set. */
  readonly envVars: readonly string[];
  /** Its working directory; a relative one lies below the host's; `null`: the host's. */
  readonly cwd: string | null;
}

/** A server that is reached over streamable HTTP, with what the configuration gives for credentials. */
export interface HttpEntry extends ServerSettings {
  /** Tells the kinds apart. */
  readonly kind: "http";
  /** Its URL, verbatim: absolute, `http` or `https`, without a user name. */
  readonly url: string;
  /** Name of the variable that holds a bearer; `null`: none is sent. */
  readonly bearerTokenEnvVar: string | null;
  /** Header fields that are sent, with names and values that HTTP allows. They may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Header fields whose values are in these variables. */
  readonly envHeaders: Readonly<Record<string, string>>;
  /** The configured sign-in, which this host does not do; `null`: none is named. */
  readonly auth: "oauth" | "chatgpt" | null;
}

/** A server with enterprise-managed authorization. */
export interface EnterpriseEntry extends ServerSettings {
  /** Tells the kinds apart. */
  readonly kind: "enterprise";
  /** What is configured for it. */
  readonly server: EnterpriseServer;
}

/** A configured server that can be used. */
export type ServerEntry = StdioEntry | HttpEntry | EnterpriseEntry;
