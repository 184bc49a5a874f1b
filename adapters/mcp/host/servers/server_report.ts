/**
 * What a host says about a server.
 *
 * @module
 */

import type { ConfigurationFault } from "../../../../core/configuration/layers/fault.ts";
import type { ServerStatus } from "../../../../core/enterprise/status/status.ts";

/** Where a server stands. */
export type ServerState =
  /** The configuration switches it off, or a fault of the configuration disables it. */
  | "disabled"
  /** Nobody needed it yet. */
  | "idle"
  /** It is being connected to. */
  | "connecting"
  /** It is connected. */
  | "ready"
  /** It failed, and is tried again after a while. */
  | "waiting"
  /** It failed, and is tried again when somebody needs it. */
  | "failed"
  /** The host is closed. */
  | "closed";

/** How a host identifies itself to a server. */
export type ServerAuth =
  /** Not at all. */
  | "none"
  /** By a bearer from the environment. */
  | "bearer"
  /** By header fields of the configuration. */
  | "headers"
  /** The configuration asks for an ordinary OAuth sign-in, which this host does not do: it connects without. */
  | "oauth-unsupported"
  /** By enterprise-managed authorization. */
  | "enterprise";

/** What a host says about a server. */
export interface ServerReport {
  /** Its name. */
  readonly name: string;
  /** What kind it is; `null`: a fault keeps that from being known. */
  readonly kind: "stdio" | "http" | "enterprise" | null;
  /** How it is reached; `null`: as with `kind`. */
  readonly transport: "stdio" | "http" | null;
  /** Name of its execution environment. */
  readonly environment: string;
  /** Whether the configuration switches it on; one that a fault disables counts as switched on. */
  readonly enabled: boolean;
  /** Where it stands; for an enterprise server: in the thread that is asked about. */
  readonly state: ServerState;
  /** Which handshake is spoken; `null`: not connected. */
  readonly era: "modern" | "legacy" | null;
  /** The revision of the protocol; `null`: not connected. */
  readonly protocol: string | null;
  /** Whether it asks for the sandbox state of a turn; `null`: not connected, or an enterprise server. */
  readonly acceptsSandbox: boolean | null;
  /** How the host identifies itself. */
  readonly auth: ServerAuth;
  /** What is known of an enterprise server's authorization; `null` for another. */
  readonly enterprise: ServerStatus | null;
  /** How many tools it offered when they were last listed, without those that may not be used; `null`: never. */
  readonly tools: number | null;
  /** Why it is not connected; `null`: nothing is wrong. */
  readonly reason: { readonly code: string; readonly message: string } | null;
  /** What in the configuration disables it. */
  readonly faults: readonly ConfigurationFault[];
  /** The end of what it wrote to standard error, safe for a terminal; empty when there is nothing. */
  readonly stderr: string;
}
