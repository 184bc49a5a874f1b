/**
 * Admission: whether a command may be started under an authority, and with which arguments.
 *
 * This file decides the order: the operator's refusals, the plan, the launcher's probe. What may be planned is
 * `core/sandbox/command.ts`'s concern. `runner.ts` starts what was admitted, `session.ts` asks again before each
 * use of what runs on.
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
import type { ProcessGuard } from "./guard.ts";
import { LauncherProbe } from "./probe.ts";
import { SANDBOXED, type SandboxResult } from "./result.ts";
import { planUnsandboxedCommand } from "./unsandboxed.ts";

/** What an admission works with. */
export interface AdmissionOptions extends ModifierOptions {
  /** Starts the probe. */
  readonly processes: ProcessPort;
  /** Recognises launchers. */
  readonly files: FilePort;
  /** The server's environment, of which launchers get a part; read once. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whose path syntax and limits apply; `"linux"` when absent. */
  readonly platform?: Platform | undefined;
  /** Admits commands without a sandbox when a call brings no launcher. */
  readonly allowUnsandboxed?: boolean | undefined;
  /** Refuses states whose permission profile is disabled, or of a type that is not known. */
  readonly refuseDisabled?: boolean | undefined;
  /** Names of variables that launchers get besides the base list. */
  readonly passEnvironment?: readonly string[] | undefined;
}

/** What ends the probes of an admission. */
export interface AdmissionLifetime {
  /** Ends them when this process is killed. */
  readonly guard: ProcessGuard;
  /** Ends them when it aborts. */
  readonly closing: AbortSignal;
}

/** A command that may be started now. */
export interface AdmittedCommand {
  /** What to start. */
  readonly request: SpawnRequest;
  /** Whether it will run in a sandbox. */
  readonly sandboxed: SandboxResult["sandboxed"];
  /** The operator's modifiers, as arguments of `codex sandbox`. */
  readonly modifiers: readonly string[];
}

/** What else is asked of an admission. */
export interface AdmissionRequest {
  /** Directory to change to inside the sandbox. */
  readonly directory?: string | undefined;
  /** Ends the waiting for the launcher's probe. */
  readonly signal?: AbortSignal | undefined;
}

/** Admits commands. One a runner, since it remembers the launchers that it saw. */
export class CommandAdmission {
  /** The environment that launchers get. */
  readonly environment: Readonly<Record<string, string>>;
  /** The operator's modifiers. */
  readonly modifiers: readonly string[];
  readonly #options: AdmissionOptions;
  readonly #platform: Platform;
  readonly #probe: LauncherProbe;

  /**
   * Creates an admission; nothing is started.
   *
   * @throws {SandboxError} `COMMAND_INVALID` when a readable root is not an absolute path.
   */
  constructor(options: AdmissionOptions, { guard, closing }: Partial<AdmissionLifetime> = {}) {
    const { processes, files, platform = "linux" } = options;
    this.#options = options;
    this.#platform = platform;
    this.environment = launcherEnvironment(options.environment, { names: options.passEnvironment, platform });
    this.modifiers = sandboxModifiers(options, platform);
    const { environment } = this;
    this.#probe = new LauncherProbe({ processes, files, environment, guard, signal: closing });
  }

  /**
   * Admits `command` under `authority`, in `directory` inside the sandbox if one is given.
   *
   * @throws {SandboxError} `PROFILE_REFUSED` when the operator refuses this permission profile.
   * @throws {SandboxError} `LAUNCHER_MISSING` when the call brought no launcher and the operator did not opt out.
   * @throws {SandboxError} `LAUNCHER_INVALID` when the launcher cannot be used, is no Codex CLI, or has changed.
   * @throws {SandboxError} `COMMAND_INVALID` when the command cannot be passed on as it is.
   * @throws {SandboxError} `STATE_TOO_LARGE` when the state does not fit into an argument.
   */
  async admit(
    authority: CapturedAuthority,
    command: readonly string[],
    { directory, signal }: AdmissionRequest = {},
  ): Promise<AdmittedCommand> {
    const { refuseDisabled, allowUnsandboxed, disableNetwork, readableRoots } = this.#options;
    const platform = this.#platform;
    const profile = inspectProfile(authority.state);
    if (refuseDisabled && profile !== "managed") throw refusedProfile(profile);
    if (allowUnsandboxed && authority.launcher === undefined && this.modifiers.length === 0) {
      const request = planUnsandboxedCommand(command, { authority, directory, platform });
      return { request, sandboxed: false, modifiers: [] };
    }
    const request = planSandboxedCommand(authority, command, {
      disableNetwork,
      readableRoots,
      directory,
      platform,
    });
    await this.#probe.require(request.executable, signal);
    return { request, sandboxed: SANDBOXED[profile], modifiers: this.modifiers };
  }

  /** Resolves when no launcher is being probed, not even for a call that was cancelled. */
  settled(): Promise<void> {
    return this.#probe.settled();
  }
}

function refusedProfile(profile: ProfileKind): SandboxError {
  return new SandboxError(
    "PROFILE_REFUSED",
    `Cannot run under a permission profile that is ${profile}: the operator of this server refuses it; nothing was run.`,
  );
}
