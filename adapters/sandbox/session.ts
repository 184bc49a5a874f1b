/**
 * A session: a process that outlives the call that started it, and the authority that it was started under.
 *
 * This file decides who may use the process and when it has to end: state, launcher and modifiers of the issuing
 * call are kept and compared before every use. `_session_run.ts` owns what a run wrote and was sent, `sessions.ts`
 * the sessions of a server, `core/sandbox/compare.ts` the comparison.
 *
 * When the server itself is killed, the runner's watchdog ends the process (`guard.ts` says where it cannot).
 *
 * @module
 */

import type { CapturedAuthority } from "../../core/sandbox/authority.ts";
import { RetainedAuthority } from "./_retained_authority.ts";
import { changedAuthority, unknownSession } from "./_session_refusals.ts";
import { SessionRun } from "./_session_run.ts";
import { SessionTimers } from "./_session_timers.ts";
import type { CommandStarter, SessionOptions, SessionUse, WaitOptions } from "./session_options.ts";
import { reportSession, type SessionHealth, type SessionReport } from "./session_report.ts";

/** What a use was let in to. */
interface Entered {
  readonly run: SessionRun;
  readonly nature: Pick<SessionReport, "sandboxed" | "modifiers">;
  /** Whether the command was started anew for this use. */
  readonly restarted: boolean;
  /** Bytes that were written before its input; `undefined` when none was sent. */
  readonly since?: number;
}

/**
 * A process under the authority that it was started with. Every use brings the authority and the thread of its
 * own call, and is checked in this order: the thread; state, launcher and modifiers; the launcher on disk.
 *
 * The same authority: used. Another thread: refused, and nothing ends. Another authority that could not start the
 * command: refused as that start would be, and nothing ends. Another authority that could: the tree is ended, and
 * the use refused, or, with `onChange: "restart"`, the command started anew under the authority of the call.
 */
export class AuthoritySession {
  /** Random id. */
  readonly id: string = crypto.randomUUID();
  readonly #starter: CommandStarter;
  readonly #options: SessionOptions;
  readonly #thread: string;
  readonly #timers: SessionTimers;
  #retained: RetainedAuthority;
  #run: SessionRun;
  #nature: Entered["nature"] = { sandboxed: "unknown", modifiers: [] };
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(starter: CommandStarter, use: SessionUse, options: SessionOptions) {
    const { command, idleTimeoutMs = 1_800_000, lifetimeMs = 28_800_000 } = options;
    this.#starter = starter;
    this.#options = { ...options, command: [...command] };
    this.#thread = use.thread;
    this.#retained = new RetainedAuthority(use.authority, starter.modifiers);
    this.#run = new SessionRun({ maxOutputBytes: 0, maxInputBytes: 0 });
    this.#timers = new SessionTimers({ idleTimeoutMs, lifetimeMs }, (limit) => void this.#run.end(limit));
  }

  /**
   * Starts `options.command` under the authority of `use`, whose thread owns the session from then on. Rejects as the
   * starter's `start` does, and with the reason of `options.signal`; then nothing is left running.
   */
  static async start(
    starter: CommandStarter,
    use: SessionUse,
    options: SessionOptions,
  ): Promise<AuthoritySession> {
    const session = new AuthoritySession(starter, use, options);
    await session.#launch(use.authority, options.signal);
    return session;
  }

  /** How the process is. Ended means that its whole tree is gone. */
  get health(): SessionHealth {
    return this.#run.health;
  }

  /** Whether `thread` owns the session. */
  belongsTo(thread: string): boolean {
    return thread === this.#thread;
  }

  /**
   * Sends `input` as it is and reports what was written by then and within `options.waitMs`. A process that was
   * started anew for this use gets none of it: it was meant for another one.
   *
   * @throws {SessionError} `SESSION_UNKNOWN` when another thread owns the session.
   * @throws {SandboxError} `AUTHORITY_CHANGED` when the authority is another one that is valid; the tree is gone.
   * @throws {SandboxError} `LAUNCHER_INVALID` when the launcher has changed on disk, or is another and unusable.
   * @throws {SessionError} `SESSION_ENDED` when the process has ended or reads no more.
   * @throws {SessionError} `SESSION_BUSY` when it has not read enough of what it was sent before.
   */
  async send(use: SessionUse, input: string | Uint8Array, options: WaitOptions = {}): Promise<SessionReport> {
    const bytes = typeof input === "string" ? new TextEncoder().encode(input) : new Uint8Array(input);
    this.#requireOwner(use.thread);
    const entered = await this.#inTurn(options.signal, async () => {
      const found = await this.#admit(use.authority);
      options.signal?.throwIfAborted();
      return found.restarted ? found : { ...found, since: found.run.send(bytes) };
    });
    return await this.#report(entered, { ...options, inputSent: !entered.restarted });
  }

  /**
   * Reports what was written since the last report, waiting for it up to `options.waitMs`. An abort ends the wait
   * alone. A process that has ended can be read until everything was.
   *
   * @throws {SessionError} `SESSION_UNKNOWN` when another thread owns the session.
   * @throws {SandboxError} `AUTHORITY_CHANGED` when the authority is another one that is valid; the tree is gone.
   * @throws {SandboxError} `LAUNCHER_INVALID` when the launcher has changed on disk, or is another and unusable.
   */
  async read(use: SessionUse, options: WaitOptions = {}): Promise<SessionReport> {
    this.#requireOwner(use.thread);
    const entered = await this.#inTurn(options.signal, () => this.#admit(use.authority));
    return await this.#report(entered, { ...options, inputSent: false });
  }

  /**
   * Ends the tree and reports the rest of its output. Nothing is started for it, whatever `onChange` says. Harmless
   * when the process has ended.
   *
   * @throws {SessionError} `SESSION_UNKNOWN` when another thread owns the session.
   * @throws {SandboxError} `AUTHORITY_CHANGED` when the authority is another one that is valid; the tree is gone.
   * @throws {SandboxError} `LAUNCHER_INVALID` when the launcher is another one and unusable.
   */
  async end(use: SessionUse): Promise<SessionReport> {
    this.#requireOwner(use.thread);
    const entered = await this.#inTurn(undefined, async () => {
      const found = await this.#admit(use.authority, { ending: true });
      await found.run.end("request");
      return found;
    });
    return await this.#report(entered, { inputSent: false });
  }

  /** Ends the tree on the server's own account. Resolves when it is gone. */
  async close(): Promise<void> {
    await this.#inTurn(undefined, () => this.#run.end("shutdown"));
  }

  /** Lets a use in, or throws. */
  async #admit(
    authority: CapturedAuthority,
    { ending = false }: { readonly ending?: boolean } = {},
  ): Promise<Entered> {
    const { command, directory, onChange } = this.#options;
    const changes = this.#retained.changes(authority, this.#starter.modifiers);
    const { state } = this.health;
    if (changes.length === 0) {
      if (state === "running" && !ending) await this.#starter.admit(authority, command, { directory });
      return { run: this.#run, nature: this.#nature, restarted: false };
    }
    await this.#starter.admit(authority, command, { directory });
    await this.#run.end("authority-change");
    if (onChange !== "restart" || state === "ended" || ending) throw changedAuthority(changes);
    await this.#launch(authority);
    return { run: this.#run, nature: this.#nature, restarted: true };
  }

  async #launch(authority: CapturedAuthority, signal?: AbortSignal): Promise<void> {
    const { command, directory, maxOutputBytes = 1_048_576, maxInputBytes = 1_048_576 } = this.#options;
    const retained = new RetainedAuthority(authority, this.#starter.modifiers);
    const run = new SessionRun({ maxOutputBytes, maxInputBytes });
    const { process, sandboxed, modifiers } = await this.#starter.start(authority, command, {
      directory,
      signal,
      onOutput: run.listen,
    });
    this.#run = run;
    this.#retained = retained;
    this.#nature = { sandboxed, modifiers };
    this.#timers.start();
    run.follow(process, () => this.#run === run && this.#timers.stop());
  }

  /** One admission after the other, so that none meets a process that is being replaced. */
  async #inTurn<Value>(signal: AbortSignal | undefined, body: () => Promise<Value>): Promise<Value> {
    const done = this.#turn.then(() => {
      signal?.throwIfAborted();
      return body();
    });
    this.#turn = done.catch(() => {});
    return await done;
  }

  #requireOwner(thread: string): void {
    if (!this.belongsTo(thread)) throw unknownSession(this.id);
  }

  async #report(
    { run, nature, restarted, since }: Entered,
    { waitMs = 0, signal, inputSent }: WaitOptions & { readonly inputSent: boolean },
  ): Promise<SessionReport> {
    await this.#timers.during(() => run.wait(waitMs, { signal, since }));
    const output = run.take();
    return reportSession({ sessionId: this.id, health: run.health, output, restarted, inputSent, ...nature });
  }
}
