/**
 * Tells the embedding program what happens to one thread at one server. That a sign-in is needed is told once, until
 * something changes.
 *
 * What there is to tell is in `adapters/mcp/host/enterprise/event.ts`, when it is told in `thread_server.ts`.
 *
 * @module
 */

import type { ThreadUse } from "../../../../../core/enterprise/authorization/use.ts";
import { enterpriseErrorIn } from "../../../wire/enterprise_connection.ts";
import type { AccountName } from "../account.ts";
import type { EnterpriseEventSubject, EnterpriseServersEvent } from "../event.ts";

/** An event without the one it is about. */
export type SubjectEvent = EnterpriseServersEvent extends infer One
  ? One extends EnterpriseServersEvent ? Omit<One, keyof EnterpriseEventSubject> : never
  : never;

/** Who is told, and about whom. */
export interface SubjectEventsOptions {
  /** The account now. */
  readonly account: () => AccountName | null;
  /** Is told; absent: nobody is. */
  readonly onEvent?: ((event: EnterpriseServersEvent) => void) | undefined;
}

/** Tells about one thread at one server. */
export class SubjectEvents {
  readonly #use: ThreadUse;
  readonly #options: SubjectEventsOptions;
  #asked = false;

  /** Tells about `use`. */
  constructor(use: ThreadUse, options: SubjectEventsOptions) {
    this.#use = use;
    this.#options = options;
  }

  /** Tells. What whoever is told throws is thrown alone, afterwards: a revocation is carried out to its end. */
  tell(event: SubjectEvent): void {
    const { account, onEvent } = this.#options;
    const { thread, server } = this.#use;
    try {
      onEvent?.({ thread, server, account: account(), ...event });
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** Tells that a sign-in is needed, if that is why something failed. */
  failed(error: unknown): void {
    const ours = enterpriseErrorIn(error);
    const code = ours?.code;
    if (this.#asked || code !== "SIGN_IN_REQUIRED" && code !== "STRONGER_SIGN_IN_REQUIRED") return;
    this.#asked = true;
    this.tell({ kind: "sign-in-needed", code, message: ours?.message ?? "" });
  }

  /** Something changed: another failure is told again. */
  renew(): void {
    this.#asked = false;
  }
}
