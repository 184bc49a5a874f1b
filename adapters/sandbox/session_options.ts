/**
 * The shapes around a session: what starts its process, who uses it, what may be asked for. `session.ts` decides
 * what follows from them, `session_report.ts` owns what it answers.
 *
 * @module
 */

import type { ProcessExit } from "../../core/ports/process.ts";
import type { CapturedAuthority } from "../../core/sandbox/authority.ts";
import type { AdmittedCommand } from "./admission.ts";

/** A process that runs on: a `LiveProcess`. */
export interface StartedProcess {
  /** Settles when its whole tree is gone and its output complete. Never rejects. */
  readonly ended: Promise<ProcessExit>;
  /** Feeds standard input. Resolves when it was read, to `false` when it never will be. */
  write(bytes: Uint8Array): Promise<boolean>;
  /** Ends the tree. Resolves as `ended` does. */
  end(): Promise<ProcessExit>;
}

/** A command that runs on. */
export interface StartedCommand extends Pick<AdmittedCommand, "sandboxed" | "modifiers"> {
  /** Its process. */
  readonly process: StartedProcess;
}

/** What a command is started with. */
export interface StartOptions {
  /** Directory to change to inside the sandbox; absent: the state's own. */
  readonly directory?: string | undefined;
  /** Ends the process when it aborts before it has been handed over. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every chunk of output, as it comes. The chunk may be reused after the call returns. */
  readonly onOutput?: ((stream: "stdout" | "stderr", chunk: Uint8Array) => void) | undefined;
}

/** Starts commands that run on: a `SandboxRunner` of any runtime. */
export interface CommandStarter {
  /** The operator's modifiers at present. */
  readonly modifiers: readonly string[];
  /** Whether `command` could be started under `authority` now. Rejects with an error of this package otherwise. */
  admit(
    authority: CapturedAuthority,
    command: readonly string[],
    options?: Pick<StartOptions, "directory">,
  ): Promise<AdmittedCommand>;
  /** Starts it. Rejects as `admit` does, or with a `ProcessError`. */
  start(
    authority: CapturedAuthority,
    command: readonly string[],
    options?: StartOptions,
  ): Promise<StartedCommand>;
}

/** The call that a use of a session belongs to. */
export interface SessionUse {
  /** Authority of that call. */
  readonly authority: CapturedAuthority;
  /** Thread of that call, as the host named it. Never take it from a tool's arguments. */
  readonly thread: string;
}

/** How much a session may take. */
export interface SessionLimits {
  /** Milliseconds without a use after which it is ended; absent: 1,800,000 (half an hour). At most about 24 days. */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Milliseconds after which it is ended in any case, restarts included; absent: 28,800,000 (eight hours). At most
   * about 24 days.
   */
  readonly lifetimeMs?: number | undefined;
  /** Bytes kept of each output stream until they are read, the newest; absent: 1 MiB. */
  readonly maxOutputBytes?: number | undefined;
  /** Bytes of input that may wait for the process to read them; absent: 1 MiB. */
  readonly maxInputBytes?: number | undefined;
}

/** What a session is to run. */
export interface SessionOptions extends SessionLimits {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Directory to change to inside the sandbox; absent: the state's own. */
  readonly directory?: string | undefined;
  /**
   * What becomes of the process when its thread comes with another valid authority: `"end"` (the default) ends it,
   * `"restart"` starts the command anew under that authority once the old tree is gone.
   */
  readonly onChange?: "end" | "restart" | undefined;
  /** Ends the process when it aborts while the session starts. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a use waits. */
export interface WaitOptions {
  /**
   * Milliseconds to wait for output at most; absent: 0. The wait is over when output came and then paused, or when
   * the process ended.
   */
  readonly waitMs?: number | undefined;
  /** Ends the wait when it aborts, and nothing else. */
  readonly signal?: AbortSignal | undefined;
}
