/**
 * What a use of a session answers: what the system said and what the process wrote, and nothing that was guessed
 * from text. `result.ts` does the same for a command that is run to its end.
 *
 * @module
 */

import type { SandboxResult } from "./result.ts";

/** Why a session ended. */
export type SessionEnd =
  /** By itself. */
  | "exit"
  /** Its thread asked for it. */
  | "request"
  /** Nobody used it for too long. */
  | "idle-limit"
  /** It ran for too long. */
  | "lifetime-limit"
  /** Its thread came with another authority. */
  | "authority-change"
  /** The server ended. */
  | "shutdown";

/** How the process of a session is. */
export interface SessionHealth {
  /** Whether it runs. */
  readonly state: "running" | "ended";
  /** Raw exit status; `null` while it runs and when a signal ended it. */
  readonly exitCode: number | null;
  /** Name of the signal that ended it, or `null`. */
  readonly signal: string | null;
  /** Why it ended; `null` while it runs. */
  readonly endedBy: SessionEnd | null;
}

/** Unread output of both streams. */
export interface SessionOutput {
  /** Standard output since the last time. */
  readonly stdout: string;
  /** Standard error likewise. */
  readonly stderr: string;
  /** Bytes of both that were dropped since the last time, the oldest first. */
  readonly droppedBytes: number;
}

/** The answer to one use. */
export interface SessionReport extends SessionHealth, SessionOutput {
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
  /**
   * `false` when the launcher reports success, or none was needed; else `"unknown"`: a failed set-up looks like a
   * failing command.
   */
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
  readonly output: SessionOutput;
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
