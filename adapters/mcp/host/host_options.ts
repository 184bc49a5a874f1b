/**
 * What a host is made of: where its configuration comes from, what of its runtime it uses, and what the embedding
 * program decides. `adapters/deno/host.ts` and `adapters/node/host.ts` fill in what a runtime has.
 *
 * @module
 */

import type { ClientCapabilities, Implementation } from "@modelcontextprotocol/client";
import type { CatalogStore } from "../../../core/catalog/store.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { DigestPort } from "../../../core/ports/digest.ts";
import type { FilePort } from "../../../core/ports/file.ts";
import type { HttpPort } from "../../../core/ports/http.ts";
import type { ProcessPort } from "../../../core/ports/process.ts";
import type { Platform } from "../../../core/sandbox/path.ts";
import type { ConfigurationSource, ManagedSource } from "../../configuration/source.ts";
import type { GrantSource } from "../../http/grants/grant_source.ts";
import type { SharedLeases } from "../../http/leases/shared_leases.ts";
import type { SendingRuntime } from "../../http/transport/sending.ts";
import type { InputHandlers } from "./client/input.ts";
import type { TurnSandbox } from "./sandbox/turn_sandbox.ts";

/** Where sign-ins and secrets are kept: what `openSecrets` of the runtime's adapter gives. */
export interface HostSecrets {
  /** The grants of our client at `provider`. */
  grants(provider: EnterpriseProvider): GrantSource | Promise<GrantSource>;
  /** The secret that a configuration names `{ keyring = name }`; `null`: there is none. */
  secret(name: string, signal: AbortSignal): Promise<string | null>;
}

/** What the runtime gives. */
export interface HostPorts {
  /** Starts servers. */
  readonly processes: ProcessPort;
  /** Looks at launchers. */
  readonly files: FilePort;
  /** Sends requests to identity providers and authorization servers. */
  readonly http: HttpPort;
  /** How the runtime sends: whether it checks certificates, and where plain http would go. */
  readonly runtime: SendingRuntime;
  /** Tells the time, and waits. */
  readonly clock: ClockPort;
  /** Computes digests. */
  readonly digest: DigestPort;
  /** Keeps sign-ins. */
  readonly secrets: HostSecrets;
  /** The environment, a snapshot. What of it a server gets is decided where it is started. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whose paths and variables these are. */
  readonly platform: Platform;
  /** Absolute path of the working directory. */
  readonly directory: string;
}

/** What the embedding program decides. */
export interface HostChoices {
  /** Where the configuration comes from. */
  readonly configuration: ConfigurationSource;
  /** The program's own configuration, above all others; absent: it has none. */
  readonly managed?: ManagedSource | undefined;
  /** Who we are, for servers; absent: this package. */
  readonly clientInfo?: Implementation | undefined;
  /** What the client can do, beside what `onInput` brings with it. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Answers what servers ask; absent: they are told that nobody does. */
  readonly onInput?: InputHandlers | undefined;
  /** Keeps tool catalogs of ordinary servers that may be shared; absent: they are kept in memory alone. */
  readonly catalog?: CatalogStore | undefined;
  /** What the turns of a thread select unless it says otherwise; absent: nothing. */
  readonly sandbox?: TurnSandbox | undefined;
  /** Whether the configuration is read again when it changes; absent: it is not. */
  readonly watch?: boolean | undefined;
  /** What a thread without an account is at enterprise servers: whoever is signed in (the default), or nobody. */
  readonly ownerFrom?: "sign-in" | "host" | undefined;
  /**
   * Access tokens of enterprise servers that are shared with other processes, as `openSharedLeases` opens them; absent:
   * each host gets its own, and none leaves it.
   */
  readonly sharedLeases?: SharedLeases | undefined;
  /** Sends requests to MCP servers; absent: the runtime's own function. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** What a host is made of. */
export interface HostOptions extends HostPorts, HostChoices {}
