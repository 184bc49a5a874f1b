/**
 * The steps that transitions are made of: dropping leases, revoking threads, blocking servers. Each gives a new state
 * and the effects that go with it, and none ever takes a revocation back.
 *
 * Which event takes which steps is decided in `transition.ts` and `transition_server.ts`.
 *
 * @module
 */

import type { AuthorizationEffect } from "./event.ts";
import type {
  AuthorizationState,
  HeldGrant,
  LeaseState,
  RevokedReason,
  ServerBlock,
  ServerState,
  ThreadState,
} from "./state.ts";

/** A state and what has to be done, in order. */
export interface Step {
  /** The new state. */
  readonly state: AuthorizationState;
  /** What has to be done. */
  readonly effects: readonly AuthorizationEffect[];
}

/** The state as it is, with nothing to do or with `effects`. */
export function stay(state: AuthorizationState, effects: readonly AuthorizationEffect[] = []): Step {
  return { state, effects };
}

/** Takes `next` after `step`. */
export function andThen(step: Step, next: (state: AuthorizationState) => Step): Step {
  const { state, effects } = next(step.state);
  return { state, effects: [...step.effects, ...effects] };
}

/** Drops the leases that `choose` names. */
export function dropLeases(state: AuthorizationState, choose: (lease: LeaseState) => boolean): Step {
  const dropped = state.leases.filter(choose);
  if (dropped.length === 0) return stay(state);
  return {
    state: { ...state, leases: state.leases.filter((lease) => !dropped.includes(lease)) },
    effects: dropped.map(({ id }) => ({ kind: "drop-lease", lease: id })),
  };
}

/** Which threads and leases a revocation reaches, and why. */
export interface Revocation {
  /** Why. */
  readonly reason: RevokedReason;
  /** The servers it reaches; absent: all. */
  readonly servers?: readonly string[];
}

/**
 * Revokes: a new epoch, leases dropped, threads revoked, whatever is pending cancelled. A thread that is revoked keeps
 * its first reason.
 */
export function revoke(state: AuthorizationState, { reason, servers }: Revocation): Step {
  const reached = (name: string): boolean => servers === undefined || servers.includes(name);
  const hit = (one: ThreadState): boolean => one.revoked === null && reached(one.server);
  const threads = state.threads.map((one) => hit(one) ? { ...one, revoked: reason } : one);
  const revoked: readonly AuthorizationEffect[] = state.threads.filter(hit).map(({ thread, server }) => ({
    kind: "revoke-thread",
    thread,
    server,
    reason,
  }));
  const next: AuthorizationState = { ...state, epoch: state.epoch + 1, threads };
  const step = andThen(stay(next), (one) => dropLeases(one, ({ server }) => reached(server)));
  return { state: step.state, effects: [{ kind: "cancel-pending" }, ...step.effects, ...revoked] };
}

/** The ended generations, with the one of `grant`. */
export function withEnded(
  { ended }: AuthorizationState,
  { generation }: Pick<HeldGrant, "generation">,
): readonly string[] {
  return ended.includes(generation) ? ended : [...ended, generation];
}

/** Changes the server `name`; nothing when it is not registered. */
export function changeServer(
  state: AuthorizationState,
  [name, change]: readonly [name: string, change: Partial<ServerState>],
): AuthorizationState {
  const servers = state.servers.map((server) => server.name === name ? { ...server, ...change } : server);
  return { ...state, servers };
}

/** Blocks the server `name` and drops its leases. Its threads are kept, and its next call is refused. */
export function blockServer(
  state: AuthorizationState,
  [name, block]: readonly [name: string, block: ServerBlock],
): Step {
  const step = dropLeases(changeServer(state, [name, { block }]), ({ server }) => server === name);
  return { state: step.state, effects: [...step.effects, { kind: "block-server", server: name, block }] };
}

/** The state without what blocks servers: an account or a sign-in that is new has not been refused yet. */
export function unblockAll(state: AuthorizationState): AuthorizationState {
  const servers = state.servers.map((server) => ({ ...server, ...UNBLOCKED }));
  return { ...state, servers };
}

/** What a server is before anything was refused. */
export const UNBLOCKED: Pick<ServerState, "block" | "assertionRefused" | "bearerRefused" | "unavailable"> = {
  block: null,
  assertionRefused: false,
  bearerRefused: [],
  unavailable: false,
};
