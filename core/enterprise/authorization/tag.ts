/**
 * The tag of something that takes time: a sign-in, an exchange, a renewal, a retry. It records under what it began,
 * and its result is committed only if all of that is unchanged.
 *
 * @module
 */

import { type AuthorizationState, serverOf } from "./state.ts";

/** Under what something began. */
export interface CommitTag {
  /** The epoch. */
  readonly epoch: number;
  /** Key of the owner; `null`: nobody. */
  readonly owner: string | null;
  /** The generation; `null`: there was no grant. */
  readonly generation: string | null;
  /** The server it is for; `null`: none, as in a sign-in. */
  readonly server: string | null;
  /** Fingerprint of the server's registration; `null`: no server, or not registered. */
  readonly fingerprint: string | null;
}

/** The tag of something that begins now, for `server` or (`null`) for none. */
export function tagOf(state: AuthorizationState, server: string | null): CommitTag {
  return {
    epoch: state.epoch,
    owner: state.owner,
    generation: state.grant?.generation ?? null,
    server,
    fingerprint: server === null ? null : serverOf(state, server)?.fingerprint ?? null,
  };
}

/** Whether what began with `tag` for `server` may still be committed. */
export function isCurrent(
  state: AuthorizationState,
  { tag, server }: { readonly tag: CommitTag; readonly server: string | null },
): boolean {
  const now = tagOf(state, server);
  return tag.server === server && tag.epoch === now.epoch && tag.owner === now.owner &&
    tag.generation === now.generation && tag.fingerprint === now.fingerprint;
}
