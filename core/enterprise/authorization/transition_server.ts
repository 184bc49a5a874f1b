/**
 * What the events about one server do: answers at both legs, the MCP server's answer to a bearer, discovery, a retry.
 * Whatever began under another epoch, owner, generation or registration is discarded.
 *
 * What an OAuth code means is decided in `exchange/oauth_error.ts`; the other events are in `transition.ts`.
 *
 * @module
 */

import type { Leg } from "../error.ts";
import type { AuthorizationEvent, NewLease } from "./event.ts";
import { type AuthorizationState, type ServerBlock, serverOf } from "./state.ts";
import {
  andThen,
  blockServer,
  changeServer,
  dropLeases,
  revoke,
  stay,
  type Step,
  UNBLOCKED,
  withEnded,
} from "./step.ts";
import { type CommitTag, isCurrent } from "./tag.ts";

/** An event about a server. */
export type ServerEvent = Extract<AuthorizationEvent, {
  readonly kind:
    | "server-moved"
    | "request-failed"
    | "grant-probed"
    | "lease-ready"
    | "bearer-refused"
    | "bearer-accepted"
    | "server-retried";
}>;

/** The state after an event about a server. */
export function serverTransition(state: AuthorizationState, event: ServerEvent): Step {
  switch (event.kind) {
    case "server-moved":
      if (serverOf(state, event.server) === undefined) return stay(state);
      return blockServer(state, [event.server, { kind: "moved", what: event.what }]);
    case "request-failed":
      if (!isCurrent(state, event)) return discard(state, event);
      return failRequest(state, event);
    case "grant-probed":
      if (!isCurrent(state, event) || serverOf(state, event.server)?.block?.kind !== "grant-in-doubt") {
        return discard(state, event);
      }
      return probed(state, event);
    case "lease-ready":
      return commitLease(state, event);
    case "bearer-refused":
      return refuseBearer(state, event.lease);
    case "bearer-accepted": {
      const lease = state.leases.find(({ id }) => id === event.lease);
      if (lease === undefined) return stay(state);
      const refused = serverOf(state, lease.server)?.bearerRefused ?? [];
      const bearerRefused = refused.filter((one) => one !== lease.binding);
      return stay(changeServer(state, [lease.server, { bearerRefused, unavailable: false }]));
    }
    case "server-retried":
      return stay(changeServer(state, [event.server, UNBLOCKED]));
  }
}

function discard(state: AuthorizationState, { kind }: ServerEvent): Step {
  return stay(state, [{ kind: "discard", event: kind }]);
}

function failRequest(
  state: AuthorizationState,
  event: Extract<ServerEvent, { readonly kind: "request-failed" }>,
): Step {
  const { server, leg, meaning } = event;
  const { grant } = state;
  const registered = serverOf(state, server);
  if (registered === undefined || grant === null) return discard(state, event);
  switch (meaning) {
    case "unavailable":
      return stay(changeServer(state, [server, { unavailable: true }]));
    case "grant-in-doubt":
      return andThen(
        andThen(
          dropLeases(state, () => true),
          (one) => blockServer(one, [server, { kind: "grant-in-doubt" }]),
        ),
        (one) => stay(one, [{ kind: "probe-grant", server, grant }]),
      );
    case "assertion":
      if (registered.assertionRefused) return blockServer(state, [server, { kind: "assertion" }]);
      return andThen(
        dropLeases(state, (lease) => lease.server === server),
        (one) =>
          stay(changeServer(one, [server, { assertionRefused: true }]), [
            { kind: "exchange-again", server, because: "assertion" },
          ]),
      );
    case "administrator":
    case "client":
    case "scope":
    case "stronger-sign-in":
    case "binding":
    case "misconfigured":
      return blockServer(state, [server, blockOf(meaning, leg)]);
  }
}

function blockOf(
  kind: "administrator" | "client" | "scope" | "stronger-sign-in" | "binding" | "misconfigured",
  leg: Leg,
): ServerBlock {
  return kind === "stronger-sign-in" ? { kind } : { kind, leg };
}

function probed(
  state: AuthorizationState,
  { server, outcome, generation }: Extract<ServerEvent, { readonly kind: "grant-probed" }>,
): Step {
  const { grant } = state;
  switch (outcome) {
    case "standing":
      return blockServer(state, [server, { kind: "identity-refused" }]);
    case "no-refresh-token":
      return blockServer(state, [server, { kind: "identity-expired" }]);
    case "unavailable":
      return stay(changeServer(state, [server, { block: null, unavailable: true }]));
    case "refused": {
      const ended = grant === null ? state.ended : withEnded(state, grant);
      const next = changeServer({ ...state, grant: null, gone: "refused", ended }, [server, { block: null }]);
      const step = revoke(next, { reason: "refused" });
      if (grant === null) return step;
      const { key, revision } = grant;
      return andThen(step, (one) =>
        stay(one, [
          { kind: "delete-grant", key, generation: grant.generation, revision },
          { kind: "write-marker", generation },
        ]));
    }
  }
}

function commitLease(
  state: AuthorizationState,
  event: { readonly kind: "lease-ready"; readonly tag: CommitTag; readonly lease: NewLease },
): Step {
  const { tag, lease } = event;
  const { grant, owner } = state;
  const server = serverOf(state, lease.server);
  const open = state.configuration.kind === "valid" && server !== undefined && server.disabled === null &&
    server.block === null;
  const taken = state.leases.some(({ id }) => id === lease.id);
  if (
    !isCurrent(state, { tag, server: lease.server }) || !open || grant === null || taken || owner === null
  ) {
    return discard(state, event);
  }
  const committed = { ...lease, owner, generation: grant.generation, fingerprint: server.fingerprint };
  return andThen(
    dropLeases(state, (one) => one.server === lease.server && one.binding === lease.binding),
    (one) =>
      stay(
        changeServer({ ...one, leases: [...one.leases, committed] }, [
          lease.server,
          { assertionRefused: false, unavailable: false },
        ]),
      ),
  );
}

/**
 * A refusal of a lease that is gone already says nothing new: another call met it first. Leases of other bindings have
 * a renewal of their own: a server that forgot all tokens refuses each of them once.
 */
function refuseBearer(state: AuthorizationState, id: string): Step {
  const lease = state.leases.find((one) => one.id === id);
  const server = lease === undefined ? undefined : serverOf(state, lease.server);
  if (lease === undefined || server === undefined) return stay(state);
  const step = dropLeases(state, (one) => one.id === id);
  if (server.bearerRefused.includes(lease.binding)) {
    return andThen(step, (one) => blockServer(one, [server.name, { kind: "bearer-refused" }]));
  }
  return andThen(
    step,
    (one) =>
      stay(changeServer(one, [server.name, { bearerRefused: [...server.bearerRefused, lease.binding] }]), [
        { kind: "exchange-again", server: server.name, because: "bearer" },
      ]),
  );
}
