/**
 * What a runner is made with, and what a call may ask of it. `runner.ts` acts on both.
 *
 * @module
 */

import type { ModifierOptions } from "../../core/sandbox/modifiers.ts";
import type { AdmissionOptions } from "./admission.ts";

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
export interface RunnerOptions extends RunnerPolicy, AdmissionOptions {
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
