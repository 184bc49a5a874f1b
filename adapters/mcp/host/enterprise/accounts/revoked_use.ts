/**
 * A thread's use of a server that the host itself may hold for revoked, beside what the state of the authorization
 * says.
 *
 * When a host does is decided in `adapters/mcp/host/enterprise/threads/thread_server.ts`.
 *
 * @module
 */

import type {
  AuthorizationState,
  RevokedReason,
} from "../../../../../core/enterprise/authorization/state.ts";
import type { ThreadUse } from "../../../../../core/enterprise/authorization/use.ts";

/** A thread's use of a server, and why the host itself holds it for revoked. */
export interface HeldUse extends ThreadUse {
  /** Why; `null`: it does not. */
  readonly revoked: RevokedReason | null;
}

/** The state in which the thread is revoked, where the host holds it for that. */
export function withRevoked(
  state: AuthorizationState,
  { thread, server, revoked }: HeldUse,
): AuthorizationState {
  if (revoked === null) return state;
  const others = state.threads.filter((one) => one.thread !== thread || one.server !== server);
  const held = { thread, server, owner: null, generation: null, fingerprint: null, revoked };
  return { ...state, threads: [...others, held] };
}
