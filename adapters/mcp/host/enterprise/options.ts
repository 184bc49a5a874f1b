/**
 * What the enterprise servers of a host are used with.
 *
 * @module
 */

import type { Client, ClientCapabilities, Implementation } from "@modelcontextprotocol/client";
import type { ThreadUse } from "../../../../core/enterprise/authorization/use.ts";
import type { EnterpriseProvider } from "../../../../core/enterprise/config/provider.ts";
import type { ClockPort } from "../../../../core/ports/clock.ts";
import type { DigestPort } from "../../../../core/ports/digest.ts";
import type { HttpPort } from "../../../../core/ports/http.ts";
import type { SecretReader } from "../../../http/client/secret_reader.ts";
import type { EnterpriseLegs } from "../../../http/exchange/legs.ts";
import type { GrantSource } from "../../../http/grants/grant_source.ts";
import type { SharedLeases } from "../../../http/leases/shared_leases.ts";
import type { SendingRuntime } from "../../../http/transport/sending.ts";
import type { ClientSdk } from "../../wire/enterprise_connection.ts";
import type { EnterpriseServersEvent } from "./event.ts";

/** What the enterprise servers work with. */
export interface EnterpriseServersOptions {
  /**
   * Where the grants of our client at an identity provider are kept. Called once for each client; all accounts share
   * it. A rejection is met by whoever needs the grants.
   */
  readonly grants: (provider: EnterpriseProvider) => GrantSource | Promise<GrantSource>;
  /** Sends requests to identity providers and authorization servers. */
  readonly http: HttpPort;
  /** Reads the secrets of the configuration. */
  readonly readSecret: SecretReader;
  /** Makes the requests of both legs; absent: the real ones, over `http`. */
  readonly legs?: EnterpriseLegs | undefined;
  /** How this runtime sends: `createSendingRuntime()` of Deno's or Node's adapter. */
  readonly runtime: SendingRuntime;
  /** Tells the time. */
  readonly clock: ClockPort;
  /** Computes digests. */
  readonly digest: DigestPort;
  /** The SDK. */
  readonly sdk: ClientSdk;
  /** Who we are. */
  readonly clientInfo: Implementation;
  /** What the client can do, beside the extension. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Prepares each client before it connects: handlers and the like. */
  readonly prepare?: ((client: Client, use: ThreadUse) => void) | undefined;
  /**
   * What the account `null` of a thread means: whoever is signed in (default), for hosts without accounts, or nobody.
   * For a thread that had an account it always means nobody: the account is signed out.
   */
  readonly ownerFrom?: "sign-in" | "host" | undefined;
  /** Whether servers are asked to tell when their tools change; default true. */
  readonly watchCatalog?: boolean | undefined;
  /** Access tokens that are shared with other processes; absent: none are. */
  readonly sharedLeases?: SharedLeases | undefined;
  /** Sends requests to MCP servers; absent: the global function, looked up at each request. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Gives a random number from 0 to 1; default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** How long getting one token may take, in seconds; default 30. */
  readonly deadline?: number | undefined;
  /** Sees what happens, while it happens. What it throws is thrown alone, afterwards. */
  readonly onEvent?: ((event: EnterpriseServersEvent) => void) | undefined;
}

/** How a connection is asked for. */
export interface ConnectOptions {
  /** Ends the waiting; the work goes on while others wait for it. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that connecting may take in all; absent: no limit but those of its steps. */
  readonly timeoutMs?: number | undefined;
}
