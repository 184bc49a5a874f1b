/**
 * The scopes that a server asked a thread for, and that were got: the thread's next request asks for them at once.
 * Forgotten when the thread is revoked.
 *
 * Which scopes may be asked for is decided in `core/enterprise/scope.ts`.
 *
 * @module
 */

import type { ThreadUse } from "../../core/enterprise/authorization/use.ts";

/** The scopes of step-ups, by thread and server. */
export class ScopeMemory {
  readonly #scopes = new Map<string, readonly string[]>();

  /** The scopes to ask for; `undefined`: those of the configuration. */
  get(use: ThreadUse): readonly string[] | undefined {
    return this.#scopes.get(nameOf(use));
  }

  /** Keeps what was got. */
  set(use: ThreadUse, scopes: readonly string[]): void {
    this.#scopes.set(nameOf(use), scopes);
  }

  /** Forgets what was got. */
  forget(use: ThreadUse): void {
    this.#scopes.delete(nameOf(use));
  }
}

function nameOf({ thread, server }: ThreadUse): string {
  return JSON.stringify([thread, server]);
}
