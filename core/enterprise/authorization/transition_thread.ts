/**
 * What the events about threads do. A thread keeps its authorization when it connects anew, reloads the list of
 * servers or finds other tools. A revoked one stays revoked, also when it is closed and opened again under its name,
 * until a person authorizes it again; of the closed ones the last thousand are remembered. One that was opened while
 * nobody was signed in never had anything to lose: it is authorized when it is opened again. The same holds when its
 * server comes from another client of an identity provider: what a thread was there, revoked or not, is no
 * authorization here.
 *
 * The other events are in `transition.ts` and `transition_server.ts`.
 *
 * @module
 */

import type { AuthorizationEvent } from "./event.ts";
import { type AuthorizationState, serverOf, threadOf, type ThreadState } from "./state.ts";
import { stay, type Step } from "./step.ts";

/** An event about a thread. */
export type ThreadEvent = Extract<
  AuthorizationEvent,
  { readonly kind: "thread-opened" | "thread-reauthorized" | "thread-closed" | "threads-carried" }
>;

/** How many closed threads are remembered as revoked. */
export const MAX_CLOSED = 1000;

/** The state after an event about a thread. */
export function threadTransition(state: AuthorizationState, event: ThreadEvent): Step {
  switch (event.kind) {
    case "thread-opened": {
      const known = threadOf(state, event);
      if (known !== undefined && known.revoked !== "never-authorized") {
        return stay(state.closed.includes(known) ? withThread(state, known) : state);
      }
      return stay(withThread(state, bound(state, event) ?? unbound(event)));
    }
    case "thread-reauthorized": {
      const thread = bound(state, event);
      if (thread === null) return stay(state, [{ kind: "discard", event: "thread-reauthorized" }]);
      return stay(withThread(state, thread));
    }
    case "thread-closed": {
      const threads = state.threads.filter((one) => one.thread !== event.thread);
      const revoked = state.threads.filter((one) => one.thread === event.thread && isLost(one));
      return stay({ ...state, threads, closed: [...state.closed, ...revoked].slice(-MAX_CLOSED) });
    }
    case "threads-carried":
      return stay(
        event.threads.reduce((one, thread) => carry(one, { ...thread, server: event.server }), state),
      );
  }
}

/** Takes over a thread that is not known here. One that was never authorized there has lost nothing. */
function carry(
  state: AuthorizationState,
  { thread, server, revoked }: Place & Pick<ThreadState, "revoked">,
): AuthorizationState {
  const known = threadOf(state, { thread, server });
  if (known !== undefined && known.revoked !== "never-authorized") return state;
  const reason = revoked === "never-authorized" ? revoked : "registration-changed";
  return withThread(state, { ...unbound({ thread, server }), revoked: reason });
}

interface Place {
  readonly thread: string;
  readonly server: string;
}

/** The thread, bound to what is in force; `null` when nothing is. */
function bound(state: AuthorizationState, { thread, server }: Place): ThreadState | null {
  const { grant } = state;
  const registered = serverOf(state, server);
  if (state.configuration.kind !== "valid" || registered === undefined || registered.disabled !== null) {
    return null;
  }
  if (grant === null) return null;
  const { fingerprint } = registered;
  return { thread, server, owner: grant.owner, generation: grant.generation, fingerprint, revoked: null };
}

function unbound({ thread, server }: Place): ThreadState {
  return { thread, server, owner: null, generation: null, fingerprint: null, revoked: "never-authorized" };
}

function withThread(state: AuthorizationState, thread: ThreadState): AuthorizationState {
  const isOther = (one: ThreadState): boolean => one.thread !== thread.thread || one.server !== thread.server;
  const closed = state.closed.every(isOther) ? state.closed : state.closed.filter(isOther);
  return { ...state, threads: [...state.threads.filter(isOther), thread], closed };
}

/** Whether the thread lost an authorization that it had. */
function isLost({ revoked }: ThreadState): boolean {
  return revoked !== null && revoked !== "never-authorized";
}
