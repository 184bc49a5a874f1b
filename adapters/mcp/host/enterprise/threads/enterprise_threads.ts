/**
 * The open threads of a host by their names, and what was revoked of those that were closed: a thread that comes again
 * under its name is revoked where it was.
 *
 * One thread is `enterprise_thread.ts`'s.
 *
 * @module
 */

import type { AuthorizationEffect } from "../../../../../core/enterprise/authorization/event.ts";
import type { RevokedReason } from "../../../../../core/enterprise/authorization/state.ts";
import type { HostError } from "../../../../../core/errors.ts";
import type { AccountTokens } from "../accounts/account_tokens.ts";
import { closedError, threadError } from "../errors.ts";
import type { EnterpriseThread } from "./enterprise_thread.ts";

/** Names of closed threads whose revocations are remembered. Of more, those that were closed first are forgotten. */
const MAX_REMEMBERED = 10_000;

/** The threads of a host. */
export class EnterpriseThreads {
  readonly #open = new Map<string, EnterpriseThread>();
  readonly #revoked = new Map<string, ReadonlyMap<string, RevokedReason>>();
  #closed = false;

  /** All that are open. */
  get all(): readonly EnterpriseThread[] {
    return [...this.#open.values()];
  }

  /** The thread of this name; `undefined`: none is open. */
  find(thread: string): EnterpriseThread | undefined {
    return this.#open.get(thread);
  }

  /**
   * The thread of this name.
   *
   * @throws {HostError} `THREAD_CLOSED` when none is open, `HOST_CLOSED` when the host is closed.
   */
  get(thread: string): EnterpriseThread {
    const known = this.#open.get(thread);
    if (known === undefined) throw this.missing(thread);
    return known;
  }

  /** The error for a name of which no thread is open. */
  missing(thread: string): HostError {
    return this.#closed ? closedError() : threadError(thread);
  }

  /**
   * Nothing may be opened once the host is closed.
   *
   * @throws {HostError} `HOST_CLOSED` when it is.
   */
  check(): void {
    if (this.#closed) throw closedError();
  }

  /** What was revoked of a thread of this name, by server. */
  revokedOf(thread: string): ReadonlyMap<string, RevokedReason> {
    return this.#revoked.get(thread) ?? new Map();
  }

  /** Takes in a thread that is open. */
  add(thread: EnterpriseThread): void {
    this.#open.set(thread.thread, thread);
  }

  /** Closes the thread of this name, if one is open. */
  async close(thread: string): Promise<void> {
    const known = this.#open.get(thread);
    if (known === undefined) return;
    this.#open.delete(thread);
    const revoked = known.revocations();
    this.#revoked.delete(thread);
    if (revoked.size > 0) this.#revoked.set(thread, revoked);
    for (const oldest of this.#revoked.keys()) {
      if (this.#revoked.size <= MAX_REMEMBERED) break;
      this.#revoked.delete(oldest);
    }
    await known.close(threadError(thread));
  }

  /** Closes all, for good. */
  async closeAll(): Promise<void> {
    this.#closed = true;
    const { all } = this;
    this.#open.clear();
    await Promise.all(all.map((thread) => thread.close(closedError())));
  }

  /** Passes on what `account` says of its threads. */
  follow(effect: AuthorizationEffect, account: AccountTokens): void {
    if (effect.kind !== "revoke-thread") return;
    const known = this.#open.get(effect.thread);
    if (known?.account === account) known.at(effect.server).revoke(effect.reason);
  }
}
