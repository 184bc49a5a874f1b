/**
 * A host in the middle of its work, for tests: one account, two servers, a thread and a lease at each.
 *
 * @module
 */

import type {
  AuthorizationEffect,
  AuthorizationEvent,
  RegisteredServer,
} from "../../../../core/enterprise/authorization/event.ts";
import {
  type AuthorizationState,
  type HeldGrant,
  initialState,
} from "../../../../core/enterprise/authorization/state.ts";
import { tagOf } from "../../../../core/enterprise/authorization/tag.ts";
import { transition } from "../../../../core/enterprise/authorization/transition.ts";
import { leaseUseRefusal } from "../../../../core/enterprise/authorization/use.ts";

/** A grant of `owner`. */
export function grantOf(owner: string, generation: string, revision = 0): HeldGrant {
  return { key: `key-of-${owner}`, owner, generation, revision };
}

/** Both servers as the configuration registers them. */
export const SERVERS: readonly [RegisteredServer, RegisteredServer] = [
  { name: "one", fingerprint: "f1", disabled: null },
  { name: "two", fingerprint: "f2", disabled: null },
];

/** Time at which the leases of the scene are alive. */
export const NOW = 1000;

/** The state after `events`, the last one's effects, and the kinds of these. */
export function after(
  state: AuthorizationState,
  ...events: readonly (AuthorizationEvent | ((state: AuthorizationState) => AuthorizationEvent))[]
): { state: AuthorizationState; effects: readonly AuthorizationEffect[]; kinds: string[] } {
  let effects: readonly AuthorizationEffect[] = [];
  let current = state;
  for (const event of events) {
    ({ state: current, effects } = transition(current, typeof event === "function" ? event(current) : event));
  }
  return { state: current, effects, kinds: effects.map(({ kind }) => kind) };
}

/** That the keyring was read now, and holds `grant`. */
export function found(grant: HeldGrant): (state: AuthorizationState) => AuthorizationEvent {
  return (state) => ({ kind: "grant-found", tag: tagOf(state, null), grant });
}

/** That the keyring was read now, and holds nothing. */
export function missing(state: AuthorizationState): AuthorizationEvent {
  return { kind: "grant-missing", tag: tagOf(state, null) };
}

/** A lease for `server`, as it is ready to be committed now. */
export function leaseReady(
  server: string,
  id = `lease-${server}`,
): (state: AuthorizationState) => AuthorizationEvent {
  return (state) => ({
    kind: "lease-ready",
    tag: tagOf(state, server),
    lease: { id, server, binding: `binding-${server}`, receivedAt: NOW, expiresAt: NOW + 300 },
  });
}

/** The host: account `alice`, generation `g1`, thread `t` at both servers, a lease for each. */
export function scene(ownerFrom: "host" | "sign-in" = "host"): AuthorizationState {
  return after(
    initialState(ownerFrom),
    { kind: "configuration-loaded", servers: SERVERS },
    { kind: "account-changed", owner: "alice" },
    found(grantOf("alice", "g1")),
    { kind: "thread-opened", thread: "t", server: "one" },
    { kind: "thread-opened", thread: "t", server: "two" },
    leaseReady("one"),
    leaseReady("two"),
  ).state;
}

/** What thread `t` meets when it sends the lease of `server`. */
export function use(
  state: AuthorizationState,
  server: string,
  more: { lease?: string; now?: number } = {},
): string {
  const { lease = `lease-${server}`, now = NOW } = more;
  return leaseUseRefusal(state, { thread: "t", server, lease, binding: `binding-${server}`, now }) ??
    "usable";
}
