/**
 * The sessions of one server: how many there may be, and which one an id means to whom.
 *
 * `session.ts` decides what each of them lets its callers do.
 *
 * @module
 */

import { tooManySessions, unknownSession } from "./_session_refusals.ts";
import { AuthoritySession } from "./session.ts";
import type { CommandStarter, SessionLimits, SessionOptions, SessionUse } from "./session_options.ts";

/** What the operator allows. A session may ask for less of each. */
export interface SessionsPolicy extends SessionLimits {
  /** Most sessions that run at a time, whatever thread they belong to; absent: 16. */
  readonly maxSessions?: number | undefined;
}

/** Starts sessions and finds them again. */
export class AuthoritySessions {
  readonly #starter: CommandStarter;
  readonly #policy: SessionsPolicy;
  readonly #sessions = new Map<string, AuthoritySession>();
  readonly #starting = new Set<Promise<unknown>>();
  #closed = false;

  /** Creates a set without sessions; `starter` starts their processes. */
  constructor(starter: CommandStarter, policy: SessionsPolicy = {}) {
    this.#starter = starter;
    this.#policy = policy;
  }

  /**
   * Starts a session for the thread of `use`, within the operator's limits. Rejects as {@linkcode
   * AuthoritySession.start} does.
   *
   * @throws {SessionError} `SESSION_LIMIT` when as many sessions run as the operator allows.
   */
  async start(use: SessionUse, options: SessionOptions): Promise<AuthoritySession> {
    const { maxSessions = 16 } = this.#policy;
    const running = [...this.#sessions.values()].filter(isRunning).length + this.#starting.size;
    if (this.#closed) throw new DOMException("The sessions were closed", "AbortError");
    if (running >= maxSessions) throw tooManySessions(running);
    const starting = AuthoritySession.start(this.#starter, use, this.#within(options));
    this.#starting.add(starting);
    try {
      const session = await starting;
      this.#sessions.set(session.id, session);
      this.#forgetEnded(maxSessions);
      return session;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /**
   * The session that `id` means to `thread`. One that has ended can be found for a while, for what it left unread.
   *
   * @throws {SessionError} `SESSION_UNKNOWN` when there is none, or it is another thread's.
   */
  find(id: string, thread: string): AuthoritySession {
    const session = this.#sessions.get(id);
    if (session === undefined || !session.belongsTo(thread)) throw unknownSession(id);
    return session;
  }

  /** Ends every session and refuses new ones. Resolves when nothing is left. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
    this.#sessions.clear();
  }

  #within(options: SessionOptions): SessionOptions {
    const least = (name: keyof SessionLimits): number | undefined => {
      const given = [options[name], this.#policy[name]].filter((value) => value !== undefined);
      return given.length === 0 ? undefined : Math.min(...given);
    };
    return {
      ...options,
      idleTimeoutMs: least("idleTimeoutMs"),
      lifetimeMs: least("lifetimeMs"),
      maxOutputBytes: least("maxOutputBytes"),
      maxInputBytes: least("maxInputBytes"),
    };
  }

  /** Forgets the oldest of those that have ended, so that no more than `kept` of them are left. */
  #forgetEnded(kept: number): void {
    const ended = [...this.#sessions.values()].filter((session) => !isRunning(session));
    for (const { id } of ended.slice(0, Math.max(0, ended.length - kept))) this.#sessions.delete(id);
  }
}

function isRunning({ health }: AuthoritySession): boolean {
  return health.state === "running";
}
