/**
 * The scopes that a server asked a thread for, and that were got: the thread's next request asks for them at once. They
 * belong to the authorization that they were got with: another account, sign-in or registration does not begin with
 * them, and neither does a thread that was closed and is opened again.
 *
 * Which scopes may be asked for is decided in `core/enterprise/scope.ts`.
 *
 * @module
 */

import { type AuthorizationState, threadOf } from "../../../core/enterprise/authorization/state.ts";
import type { ThreadUse } from "../../../core/enterprise/authorization/use.ts";

/** The scopes of step-ups, by thread and server. */
export class ScopeMemory {
  readonly #inForce: (use: ThreadUse) => string | null;
  readonly #got = new Map<string, Got>();

  /** `inForce` names the authorization that a use has now; `null`: it has none. */
  constructor(inForce: (use: ThreadUse) => string | null) {
    this.#inForce = inForce;
  }

  /** The scopes to ask for; `undefined`: those of the configuration. */
  get(use: ThreadUse): readonly string[] | undefined {
    const got = this.#got.get(nameOf(use));
    if (got === undefined || got.inForce === this.#inForce(use)) return got?.scopes;
    this.forget(use);
    return undefined;
  }

  /** Keeps what was got, unless the use has no authorization any more. */
  set(use: ThreadUse, scopes: readonly string[]): void {
    const inForce = this.#inForce(use);
    if (inForce !== null) this.#got.set(nameOf(use), { thread: use.thread, scopes, inForce });
  }

  /** Forgets what was got. */
  forget(use: ThreadUse): void {
    this.#got.delete(nameOf(use));
  }

  /** Forgets what was got for a thread. */
  close(thread: string): void {
    for (const [name, got] of [...this.#got]) if (got.thread === thread) this.#got.delete(name);
  }
}

interface Got {
  readonly thread: string;
  readonly scopes: readonly string[];
  readonly inForce: string;
}

/** Names the authorization that a use has in `state`: whose, which sign-in, which registration; `null`: none. */
export function authorizationOf(state: AuthorizationState, use: ThreadUse): string | null {
  const thread = threadOf(state, use);
  if (thread === undefined || thread.revoked !== null) return null;
  return JSON.stringify([thread.owner, thread.generation, thread.fingerprint]);
}

function nameOf({ thread, server }: ThreadUse): string {
  return JSON.stringify([thread, server]);
}
