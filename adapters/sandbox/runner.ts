/**
 * The runner: a command, run to its end or started to run on, under the authority of a call.
 *
 * This file decides what runs until when. What may be started is `admission.ts`'s concern, how a process is
 * brought to its end `run.ts`'s, who may use one that runs on `session.ts`'s.
 *
 * @module
 */

import type { SpawnRequest } from "../../core/ports/process.ts";
import type { CapturedAuthority } from "../../core/sandbox/authority.ts";
import { follow } from "../async/follow.ts";
import { type AdmissionRequest, type AdmittedCommand, CommandAdmission } from "./admission.ts";
import { ProcessGuard } from "./guard.ts";
import { LiveProcess } from "./live_process.ts";
import { buildResult, type SandboxResult } from "./result.ts";
import { type ProcessOutcome, runProcess } from "./run.ts";
import type { CommandOptions, RunnerOptions } from "./runner_options.ts";
import type { StartedCommand, StartOptions } from "./session_options.ts";

export type { CommandOptions, RunnerOptions, RunnerPolicy } from "./runner_options.ts";

/** Runs commands, each under the authority of its own call. One runner serves a whole server. */
export class SandboxRunner {
  readonly #options: RunnerOptions;
  readonly #admission: CommandAdmission;
  readonly #guard: ProcessGuard;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /**
   * Creates a runner; nothing is started.
   *
   * @throws {SandboxError} `COMMAND_INVALID` when a readable root is not an absolute path.
   */
  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#guard = new ProcessGuard(options.processes);
    this.#admission = new CommandAdmission(options, { guard: this.#guard, closing: this.#closing.signal });
    if (options.allowUnsandboxed) {
      options.announce(
        "Commands of calls without a launcher will run WITHOUT a sandbox (operator's opt-out).",
      );
    }
  }

  /**
   * Runs `command` under `authority`.
   *
   * @throws {SandboxError} `PROFILE_REFUSED` when the operator refuses this permission profile.
   * @throws {SandboxError} `LAUNCHER_MISSING` when the call brought no launcher and the operator did not opt out.
   * @throws {SandboxError} `LAUNCHER_INVALID` when the launcher cannot be used, is no Codex CLI, or has changed.
   * @throws {SandboxError} `COMMAND_INVALID` when the command cannot be passed on as it is.
   * @throws {SandboxError} `STATE_TOO_LARGE` when the state does not fit into an argument.
   * @throws {ProcessError} `PROGRAM_NOT_EXECUTABLE` when the system refuses to start the launcher.
   */
  async run(
    authority: CapturedAuthority,
    command: readonly string[],
    options: CommandOptions = {},
  ): Promise<SandboxResult> {
    this.#closing.signal.throwIfAborted();
    const running = this.#run(authority, command, options);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** The operator's modifiers, as arguments of `codex sandbox`. */
  get modifiers(): readonly string[] {
    return this.#admission.modifiers;
  }

  /** Whether `command` could be started under `authority` now. Rejects as {@linkcode SandboxRunner.run} does. */
  async admit(
    authority: CapturedAuthority,
    command: readonly string[],
    options: AdmissionRequest = {},
  ): Promise<AdmittedCommand> {
    try {
      return await this.#admission.admit(authority, command, options);
    } catch (error) {
      this.#closing.signal.throwIfAborted(); // a probe that was ended says nothing of the launcher
      throw error;
    }
  }

  /**
   * Starts `command` under `authority` and lets it run on, with an open standard input and without a time limit: it
   * ends by itself, by `process.end()` of what this resolves to, or with this runner. Rejects as
   * {@linkcode SandboxRunner.run} does.
   */
  async start(
    authority: CapturedAuthority,
    command: readonly string[],
    options: StartOptions = {},
  ): Promise<StartedCommand> {
    this.#closing.signal.throwIfAborted();
    const started = this.#live(authority, command, options);
    const over = started.then(({ process }) => process.ended).catch(() => {});
    this.#running.add(over);
    void over.then(() => this.#running.delete(over));
    return await started;
  }

  /** Ends every command and refuses new ones. Resolves when nothing is left. */
  async close(): Promise<void> {
    this.#closing.abort(new DOMException("The runner was closed", "AbortError"));
    await Promise.allSettled(this.#running);
    await this.#admission.settled(); // a probe outlives the call that was cancelled, and uses the guard
    await this.#guard.close();
  }

  async #run(
    authority: CapturedAuthority,
    command: readonly string[],
    options: CommandOptions,
  ): Promise<SandboxResult> {
    const { request, sandboxed, modifiers } = await this.admit(authority, command, options);
    return buildResult(await this.#start(request, options), { sandboxed, modifiers });
  }

  async #live(
    authority: CapturedAuthority,
    command: readonly string[],
    options: StartOptions,
  ): Promise<StartedCommand> {
    const { signal, onOutput } = options;
    const { request, sandboxed, modifiers } = await this.admit(authority, command, options);
    signal?.throwIfAborted();
    const process = await LiveProcess.start(this.#options.processes, request, {
      environment: this.#admission.environment,
      guard: this.#guard,
      signal: this.#closing.signal,
      graceMs: this.#options.graceMs,
      onOutput,
    });
    if (signal?.aborted) {
      await process.end();
      throw signal.reason;
    }
    return { process, sandboxed, modifiers };
  }

  async #start(request: SpawnRequest, options: CommandOptions): Promise<ProcessOutcome> {
    const { processes, maxOutputBytes = 1_048_576, graceMs = 2_000 } = this.#options;
    const { stdin, onOutput } = options;
    const timeoutMs = Math.min(options.timeoutMs ?? Infinity, this.#options.timeoutMs ?? Infinity);
    const { controller: { signal }, stop } = follow(
      this.#closing.signal,
      ...(options.signal === undefined ? [] : [options.signal]),
    );
    try {
      const outcome = await runProcess(processes, request, {
        environment: this.#admission.environment,
        ...(stdin === undefined
          ? {}
          : { stdin: typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin }),
        ...(timeoutMs === Infinity ? {} : { timeoutMs }),
        ...(onOutput === undefined ? {} : { onOutput }),
        signal,
        graceMs,
        maxOutputBytes,
        guard: this.#guard,
      });
      if (outcome.cancelled) throw signal.reason;
      return outcome;
    } finally {
      stop();
    }
  }
}
