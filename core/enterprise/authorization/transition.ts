/**
 * What each event does to the authorization: a pure function from state and event to state and effects. Here are the
 * events about account, grant, keyring and configuration; those about one server are in `transition_server.ts`,
 * those about threads in `transition_thread.ts`.
 *
 * The rules: a change of account or generation, a sign-out and an invalid configuration revoke; an outage, a locked
 * keyring and a configuration that cannot be read do not. A revoked thread is usable again only after it was
 * authorized again. What was read before something was revoked says nothing about what is in force after it.
 *
 * @module
 */

import type { AuthorizationEffect, AuthorizationEvent, RegisteredServer } from "./event.ts";
import type { AuthorizationState, HeldGrant, RevokedReason } from "./state.ts";
import { andThen, dropLeases, revoke, stay, type Step, unblockAll, UNBLOCKED, withEnded } from "./step.ts";
import { type CommitTag, isCurrent } from "./tag.ts";
import { serverTransition } from "./transition_server.ts";
import { threadTransition } from "./transition_thread.ts";

/**
 * The state after `event`, and what has to be done, in order.
 *
 * @example
 * ```ts
 * import { initialState } from "./state.ts";
 * import { transition } from "./transition.ts";
 *
 * const { state } = transition(initialState("host"), { kind: "account-changed", owner: "someone" });
 * console.log(transition(state, { kind: "account-changed", owner: null }).state.epoch); // 2
 * ```
 */
export function transition(state: AuthorizationState, event: AuthorizationEvent): Step {
  switch (event.kind) {
    case "account-changed":
      return changeAccount(state, event.owner);
    case "signed-in":
      return signIn(state, event);
    case "signed-out":
      return signOut(state, event.generation);
    case "sign-in-ended": {
      const at = state.ending.indexOf(event.owner);
      return stay({ ...state, ending: state.ending.filter((_, index) => index !== at) });
    }
    case "grant-found":
      return findGrant(state, event);
    case "grant-missing":
      return isCurrent(state, { ...event, server: null })
        ? loseGrant({ ...state, keyring: "open" })
        : stay(state, [{ kind: "discard", event: "grant-missing" }]);
    case "keyring-closed":
      return stay({ ...state, keyring: event.keyring });
    case "keyring-opened":
      return stay({ ...state, keyring: "open" });
    case "marker-unreadable":
      return stay({ ...state, marker: "unreadable" });
    case "marker-read":
      return stay({ ...state, marker: "readable" });
    case "configuration-loaded":
      return loadConfiguration(state, event.servers);
    case "configuration-rejected": {
      const { field, layer } = event;
      const next: AuthorizationState = { ...state, configuration: { kind: "rejected", field, layer } };
      if (state.configuration.kind === "rejected") return stay(next);
      return revoke(next, { reason: "configuration-rejected" });
    }
    case "configuration-unavailable":
      // an invalid configuration stays invalid until a valid one is read
      return stay(
        state.configuration.kind === "rejected"
          ? state
          : { ...state, configuration: { kind: "unavailable" } },
      );
    case "time-passed":
      return dropLeases(state, ({ expiresAt }) => expiresAt <= event.now);
    case "thread-opened":
    case "thread-reauthorized":
    case "thread-closed":
    case "threads-carried":
      return threadTransition(state, event);
    case "server-moved":
    case "request-failed":
    case "grant-probed":
    case "lease-ready":
    case "bearer-refused":
    case "bearer-accepted":
    case "server-retried":
      return serverTransition(state, event);
  }
}

function changeAccount(state: AuthorizationState, owner: string | null): Step {
  if (owner === state.owner) return stay(state);
  const next: AuthorizationState = { ...unblockAll(state), owner, grant: null, gone: "not-signed-in" };
  return andThen(
    revoke(next, { reason: "account-changed" }),
    (one) => stay(one, owner === null ? [] : [{ kind: "read-grant", owner }]),
  );
}

function signIn(
  state: AuthorizationState,
  { tag, grant }: { readonly tag: CommitTag; readonly grant: HeldGrant },
): Step {
  const ours = state.ownerFrom === "sign-in" || grant.owner === state.owner;
  const fresh = grant.generation !== state.grant?.generation;
  if (!isCurrent(state, { tag, server: null }) || !ours || !fresh) {
    return stay(state, [{ kind: "discard", event: "signed-in" }]);
  }
  return andThen(replaceGrant(state, grant), (one) => stay(one, [{ kind: "store-grant", grant }]));
}

/** Another generation is in force: what belongs to the old one is void, and what blocked servers is forgotten. */
function replaceGrant(state: AuthorizationState, grant: HeldGrant): Step {
  const reason: RevokedReason = state.owner === null || grant.owner === state.owner
    ? "replaced"
    : "account-changed";
  return revoke({
    ...unblockAll(state),
    owner: grant.owner,
    grant,
    keyring: "open",
    marker: "readable",
  }, { reason });
}

function findGrant(
  state: AuthorizationState,
  { grant, tag }: { readonly grant: HeldGrant; readonly tag: CommitTag },
): Step {
  const discard: AuthorizationEffect = { kind: "discard", event: "grant-found" };
  const isHost = state.ownerFrom === "host";
  if (state.ending.includes(isHost ? grant.owner : null)) {
    return stay({ ...state, ended: withEnded(state, grant) }, [discard]);
  }
  const ours = !isHost || grant.owner === state.owner;
  if (!ours || !isCurrent(state, { tag, server: null }) || state.ended.includes(grant.generation)) {
    return stay(state, [discard]);
  }
  const held = state.grant;
  if (held === null || held.key !== grant.key || held.generation !== grant.generation) {
    return replaceGrant(state, grant);
  }
  const revision = Math.max(held.revision, grant.revision);
  return stay({ ...state, grant: { ...held, revision }, keyring: "open", marker: "readable" });
}

/** What is stored is ended first, also when it was never read: a keyring that is locked keeps nobody signed in. */
function signOut(state: AuthorizationState, generation: string): Step {
  const { owner, ownerFrom, grant } = state;
  const key = ownerFrom === "host" ? owner : null;
  const nobody = ownerFrom === "host" && owner === null;
  const next: AuthorizationState = {
    ...unblockAll(state),
    grant: null,
    gone: "signed-out",
    ended: grant === null ? state.ended : withEnded(state, grant),
    ending: nobody ? state.ending : [...state.ending, key],
  };
  return andThen(
    stay(next, nobody ? [] : [{ kind: "end-sign-in", key, generation }]),
    (one) => revoke(one, { reason: "signed-out" }),
  );
}

function loseGrant(state: AuthorizationState): Step {
  if (state.grant === null) return stay(state);
  return revoke({ ...unblockAll(state), grant: null, gone: "deleted" }, { reason: "deleted" });
}

/** A registration that is the same is kept, blocks and counters included; any other is revoked for its server. */
function loadConfiguration(state: AuthorizationState, servers: readonly RegisteredServer[]): Step {
  const reasonOf = (name: string): RevokedReason | null => {
    const before = state.servers.find((one) => one.name === name);
    const after = servers.find((one) => one.name === name);
    if (before === undefined) return null;
    if (after === undefined) return "server-removed";
    if (after.disabled !== null) return before.disabled === null ? "server-disabled" : null;
    return before.fingerprint === after.fingerprint ? null : "registration-changed";
  };
  const next: AuthorizationState = {
    ...state,
    configuration: { kind: "valid" },
    servers: servers.map((server) => {
      const before = state.servers.find(({ name }) => name === server.name);
      const same = before?.fingerprint === server.fingerprint && before.disabled === server.disabled;
      return { ...(same ? before : UNBLOCKED), ...server };
    }),
  };
  return state.servers.reduce((step, { name }) => {
    const reason = reasonOf(name);
    return reason === null ? step : andThen(step, (one) => revoke(one, { reason, servers: [name] }));
  }, stay(next));
}
