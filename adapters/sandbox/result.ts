/**
 * The result of a command, as a tool gives it back: what the system said and nothing that was guessed from text.
 *
 * @module
 */

import type { ProfileKind } from "../../core/sandbox/profile.ts";
import type { ProcessOutcome } from "./run.ts";

/** How a command ended. */
export interface SandboxResult {
  /** Raw exit status; `null` when a signal ended the command. */
  readonly exitCode: number | null;
  /**
   * Name of the signal that ended the launcher, or `null`. A command in the sandbox that a signal ends shows as
   * 128+n.
   */
  readonly signal: string | null;
  /** Standard output as UTF-8, what is not replaced by U+FFFD. */
  readonly stdout: string;
  /** Standard error likewise, of the sandbox's set-up too. */
  readonly stderr: string;
  /** Whether output is missing beyond the cap. */
  readonly truncated: boolean;
  /** Whether a time limit ended the command. */
  readonly timedOut: boolean;
  /**
   * `true`: in a sandbox; `false`: in none, by the operator's opt-out; `"policy-disabled"`: in none, by the host's
   * policy; `"unknown"`: under a profile of a type that is not known.
   */
  readonly sandboxed: true | false | "policy-disabled" | "unknown";
  /**
   * `false` when the launcher reports success, or none was needed; else `"unknown"`: a failed set-up looks like a
   * failing command.
   */
  readonly setupFailed: false | "unknown";
  /** The operator's modifiers, as arguments of `codex sandbox`. */
  readonly modifiers: readonly string[];
}

/** What a profile of each kind makes of a run. */
export const SANDBOXED: Readonly<Record<ProfileKind, SandboxResult["sandboxed"]>> = {
  managed: true,
  disabled: "policy-disabled",
  unknown: "unknown",
};

/** Builds the result of a run that came to its end. */
export function buildResult(
  outcome: ProcessOutcome,
  run: Pick<SandboxResult, "sandboxed" | "modifiers">,
): SandboxResult {
  const { exitCode, signal, truncated, timedOut } = outcome;
  return {
    exitCode,
    signal,
    stdout: decode(outcome.stdout),
    stderr: decode(outcome.stderr),
    truncated,
    timedOut,
    sandboxed: run.sandboxed,
    setupFailed: exitCode === 0 || run.sandboxed === false ? false : "unknown",
    modifiers: run.modifiers,
  };
}

/** A byte order mark is output like any other. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
