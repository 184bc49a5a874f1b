/**
 * Who may use what, now: a thread a server, and a thread a lease. Everything is compared again at each use, so that
 * nothing depends on an effect having been carried out. Checked in the order of {@linkcode UseRefusal}.
 *
 * What changes the state is decided in `transition.ts`; what people are told in `status/status.ts`.
 *
 * @module
 */

import { isLeaseAlive } from "../lease.ts";
import { type AuthorizationState, type LeaseState, serverOf, threadOf, type ThreadState } from "./state.ts";

/** Why something may not be used, in the order of the checks. */
export type UseRefusal =
  | "configuration"
  | "marker"
  | "server-unknown"
  | "server-disabled"
  | "thread-unknown"
  | "thread-revoked"
  | "not-signed-in"
  | "thread-outdated"
  | "server-blocked"
  | "keyring-closed"
  | "lease-unknown"
  | "lease-foreign"
  | "lease-expired";

/** A thread's use of a server. */
export interface ThreadUse {
  /** Name of the thread. */
  readonly thread: string;
  /** Name of the server. */
  readonly server: string;
}

/** A thread's use of a lease. */
export interface LeaseUse extends ThreadUse {
  /** Name of the lease. */
  readonly lease: string;
  /** What the call needs, as `leaseKey` writes it. */
  readonly binding: string;
  /** Epoch seconds. */
  readonly now: number;
}

/** Why the thread may not use the server; `null`: it may, with a lease that it has or gets. */
export function serverUseRefusal(state: AuthorizationState, use: ThreadUse): UseRefusal | null {
  if (state.configuration.kind !== "valid") return "configuration";
  if (state.marker !== "readable") return "marker";
  const server = serverOf(state, use.server);
  if (server === undefined) return "server-unknown";
  if (server.disabled !== null) return "server-disabled";
  const thread = threadOf(state, use);
  if (thread === undefined) return "thread-unknown";
  if (thread.revoked !== null) return "thread-revoked";
  if (state.grant === null || state.grant.owner !== state.owner) return "not-signed-in";
  if (!isOfNow(state, thread) || thread.fingerprint !== server.fingerprint) return "thread-outdated";
  return server.block === null ? null : "server-blocked";
}

/**
 * Why the thread may not get a new lease; `null`: it may. A keyring that cannot be read keeps what is there and gives
 * nothing.
 */
export function exchangeRefusal(state: AuthorizationState, use: ThreadUse): UseRefusal | null {
  return serverUseRefusal(state, use) ?? (state.keyring === "open" ? null : "keyring-closed");
}

/** Why the thread may not send the lease; `null`: it may. */
export function leaseUseRefusal(state: AuthorizationState, use: LeaseUse): UseRefusal | null {
  const refusal = serverUseRefusal(state, use);
  if (refusal !== null) return refusal;
  const lease = state.leases.find(({ id }) => id === use.lease);
  if (lease === undefined) return "lease-unknown";
  const fingerprint = serverOf(state, use.server)?.fingerprint;
  const foreign = lease.server !== use.server || lease.binding !== use.binding || !isOfNow(state, lease) ||
    lease.fingerprint !== fingerprint;
  if (foreign) return "lease-foreign";
  return isLeaseAlive(lease, use.now) ? null : "lease-expired";
}

/** Whether owner and generation are those in force. */
function isOfNow(state: AuthorizationState, one: ThreadState | LeaseState): boolean {
  return one.owner === state.grant?.owner && one.generation === state.grant?.generation;
}
