/**
 * What a use of a session answers: what the system said and what the process wrote, and nothing that was guessed
 * from text. `result.ts` does the same for a command that is run to its end.
 *
 * @module
 */

import type { RunOutput, SessionHealth } from "./_session_run.ts";
import type { SandboxResult } from "./result.ts";

/** The answer to one use. */
export interface SessionReport extends SessionHealth, RunOutput {
  /** Id of the session. */
  readonly sessionId: string;
  /** Whether output is missing ahead of what is here: the oldest is dropped where nobody reads. */
  readonly truncated: boolean;
  /** Whether this use brought another authority, under which the command was started anew: the old process is gone. */
  readonly restarted: boolean;
  /** Whether the input of this use was handed over. It is not to a process that was started for this very use. */
  readonly inputSent: boolean;
  /** As for a command that is run to its end. */
  readonly sandboxed: SandboxResult["sandboxed"];
  /** `false` when the command certainly ran; else `"unknown"`: a sandbox that cannot be set up looks like a failing command. */
  readonly setupFailed: SandboxResult["setupFailed"];
  /** The operator's modifiers, as arguments of `codex sandbox`. */
  readonly modifiers: readonly string[];
}

/** What a report is made of. */
export interface ReportParts
  extends Pick<SessionReport, "sessionId" | "restarted" | "inputSent" | "sandboxed" | "modifiers"> {
  /** How the process is. */
  readonly health: SessionHealth;
  /** What it wrote. */
  readonly output: RunOutput;
}

/** Builds a report. */
export function reportSession(parts: ReportParts): SessionReport {
  const { health, output, sessionId, restarted, inputSent, sandboxed, modifiers } = parts;
  return {
    sessionId,
    state: health.state,
    exitCode: health.exitCode,
    signal: health.signal,
    endedBy: health.endedBy,
    stdout: output.stdout,
    stderr: output.stderr,
    truncated: output.droppedBytes > 0,
    droppedBytes: output.droppedBytes,
    restarted,
    inputSent,
    sandboxed,
    setupFailed: health.exitCode === 0 || sandboxed === false ? false : "unknown",
    modifiers,
  };
}
