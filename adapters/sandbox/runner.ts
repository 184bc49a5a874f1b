/**
 * The runner: a command, run under the authority of a call.
 *
 * This file decides the order: the operator's refusals, the plan, the launcher's probe, the run. What may be
 * planned is `core/sandbox/command.ts`'s concern, how a process is brought to its end `run.ts`'s.
 *
 * @module
 */

import { SandboxError } from "../../core/errors.ts";
import type { FilePort } from "../../core/ports/file.ts";
import type { ProcessPort, SpawnRequest } from "../../core/ports/process.ts";
import type { CapturedAuthority } from "../../core/sandbox/authority.ts";
import { planSandboxedCommand } from "../../core/sandbox/command.ts";
import { launcherEnvironment } from "../../core/sandbox/environment.ts";
import { type ModifierOptions, sandboxModifiers } from "../../core/sandbox/modifiers.ts";
import type { Platform } from "../../core/sandbox/path.ts";
import { inspectProfile, type ProfileKind } from "../../core/sandbox/profile.ts";
import { ProcessGuard } from "./guard.ts";
import { LauncherProbe } from "./probe.ts";
import { buildResult, SANDBOXED, type SandboxResult } from "./result.ts";
import { type ProcessOutcome, runProcess } from "./run.ts";
import { planUnsandboxedCommand } from "./unsandboxed.ts";

/** What the operator decides when a server starts. No call can change any of it. */
export interface RunnerPolicy extends ModifierOptions {
  /** Runs commands without a sandbox when a call brings no launcher. Everything else stays refused. */
  readonly allowUnsandboxed?: boolean | undefined;
  /** Refuses states whose permission profile is disabled, or of a type that is not known. */
  readonly refuseDisabled?: boolean | undefined;
  /** Names of variables that launchers get besides the base list. */
  readonly passEnvironment?: readonly string[] | undefined;
  /** Bytes kept of each output stream; absent: 1 MiB. */
  readonly maxOutputBytes?: number | undefined;
  /** Milliseconds that a command may run at most; absent: no limit but the call's own. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds from TERM to KILL; absent: 2,000. */
  readonly graceMs?: number | undefined;
}

/** What a runner works with. */
export interface RunnerOptions extends RunnerPolicy {
  /** Starts processes. */
  readonly processes: ProcessPort;
  /** Recognises launchers. */
  readonly files: FilePort;
  /** The server's environment, of which launchers get a part; read once. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whose path syntax and limits apply; `"linux"` when absent. */
  readonly platform?: Platform | undefined;
  /** Told once, in one line, that commands may run without a sandbox. */
  readonly announce: (line: string) => void;
}

/** What a call may ask for. */
export interface CommandOptions {
  /** Ends the command; {@linkcode SandboxRunner.run} then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that the command may run, within the operator's limit. */
  readonly timeoutMs?: number | undefined;
  /** Standard input; absent: closed. */
  readonly stdin?: string | Uint8Array | undefined;
  /** Directory to change to inside the sandbox. */
  readonly directory?: string | undefined;
  /** Told of the output as it comes, up to the cap. */
  readonly onOutput?: ((stream: "stdout" | "stderr", chunk: Uint8Array) => void) | undefined;
}

/** Runs commands, each under the authority of its own call. One runner serves a whole server. */
export class SandboxRunner {
  readonly #options: RunnerOptions;
  readonly #platform: Platform;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #modifiers: readonly string[];
  readonly #probe: LauncherProbe;
  readonly #guard: ProcessGuard;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /**
   * Creates a runner; nothing is started.
   *
   * @throws {SandboxError} `COMMAND_INVALID` when a readable root is not an absolute path.
   */
  constructor(options: RunnerOptions) {
    const { processes, files, platform = "linux" } = options;
    this.#options = options;
    this.#platform = platform;
    this.#environment = launcherEnvironment(options.environment, {
      names: options.passEnvironment,
      platform,
    });
    this.#modifiers = sandboxModifiers(options, platform);
    this.#probe = new LauncherProbe({ processes, files, environment: this.#environment });
    this.#guard = new ProcessGuard(processes);
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

  /** Ends every command and refuses new ones. Resolves when nothing is left. */
  async close(): Promise<void> {
    this.#closing.abort(new DOMException("The runner was closed", "AbortError"));
    await Promise.allSettled(this.#running);
    await this.#guard.close();
  }

  async #run(
    authority: CapturedAuthority,
    command: readonly string[],
    options: CommandOptions,
  ): Promise<SandboxResult> {
    const { refuseDisabled, allowUnsandboxed } = this.#options;
    const profile = inspectProfile(authority.state);
    if (refuseDisabled && profile !== "managed") throw refusedProfile(profile);
    if (allowUnsandboxed && authority.launcher === undefined && this.#modifiers.length === 0) {
      const request = planUnsandboxedCommand(command, {
        state: authority.state,
        directory: options.directory,
        platform: this.#platform,
      });
      return buildResult(await this.#start(request, options), { sandboxed: false, modifiers: [] });
    }
    const request = planSandboxedCommand(authority, command, {
      disableNetwork: this.#options.disableNetwork,
      readableRoots: this.#options.readableRoots,
      directory: options.directory,
      platform: this.#platform,
    });
    await this.#probe.require(request.executable);
    const outcome = await this.#start(request, options);
    return buildResult(outcome, { sandboxed: SANDBOXED[profile], modifiers: this.#modifiers });
  }

  async #start(request: SpawnRequest, options: CommandOptions): Promise<ProcessOutcome> {
    const { processes, maxOutputBytes = 1_048_576, graceMs = 2_000 } = this.#options;
    const { stdin, onOutput } = options;
    const signal = AbortSignal.any([this.#closing.signal, ...(options.signal ? [options.signal] : [])]);
    const timeoutMs = Math.min(options.timeoutMs ?? Infinity, this.#options.timeoutMs ?? Infinity);
    const outcome = await runProcess(processes, request, {
      environment: this.#environment,
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
  }
}

function refusedProfile(profile: ProfileKind): SandboxError {
  return new SandboxError(
    "PROFILE_REFUSED",
    `Cannot run under a permission profile that is ${profile}: the operator of this server refuses it; nothing was run.`,
  );
}
