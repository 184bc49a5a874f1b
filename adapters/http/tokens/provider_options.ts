/**
 * What the tokens of one client of one identity provider are made with.
 *
 * @module
 */

import type {
  AuthorizationEffect,
  AuthorizationEvent,
} from "../../../core/enterprise/authorization/event.ts";
import type { AuthorizationState } from "../../../core/enterprise/authorization/state.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { DigestPort } from "../../../core/ports/digest.ts";
import type { EnterpriseLegs } from "../exchange/legs.ts";
import type { GrantSource } from "../grants/grant_source.ts";
import type { SharedLeases } from "../leases/shared_leases.ts";
import type { SendingRuntime } from "../transport/sending.ts";
import type { ServerFaults } from "./server_faults.ts";

/** How the tokens of a host are made. */
export interface TokensOptions {
  /** Sends the requests of both legs. */
  readonly legs: EnterpriseLegs;
  /** Tells the time. */
  readonly clock: ClockPort;
  /** Computes digests. */
  readonly digest: DigestPort;
  /** How this runtime sends: `createSendingRuntime()` of Deno's or Node's adapter, else `createEdgeRuntime()`. */
  readonly runtime: SendingRuntime;
  /** Whether a host says whose account it is; default `"sign-in"`: the sign-in itself does. */
  readonly ownerFrom?: "host" | "sign-in" | undefined;
  /** Sends requests to MCP servers; absent: the global function, looked up at each request. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Access tokens that are shared with other processes, as `openSharedLeases` opens them; absent: each process gets its
   * own, and none leaves it.
   */
  readonly sharedLeases?: SharedLeases | undefined;
  /** Gives a random number from 0 to 1; default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** How long getting one token may take, in seconds; default 30. */
  readonly deadline?: number | undefined;
  /** Sees the state of an identity provider's client after each event. No token is in it. */
  readonly onState?: ((state: AuthorizationState, provider: EnterpriseProvider) => void) | undefined;
  /** Sees what is done, in order: dropped leases, revoked threads, blocked servers. No token is in it. */
  readonly onEffect?: ((effect: AuthorizationEffect) => void) | undefined;
}

/** The same for one client of one identity provider. */
export interface ProviderTokensOptions extends TokensOptions {
  /** The identity provider. */
  readonly provider: EnterpriseProvider;
  /** Where its grants are kept. */
  readonly source: GrantSource;
  /** Which servers are disabled. */
  readonly faults: ServerFaults;
}

/** Why there is no configuration. */
export type ConfigurationEvent = Extract<
  AuthorizationEvent,
  { readonly kind: "configuration-rejected" | "configuration-unavailable" }
>;
