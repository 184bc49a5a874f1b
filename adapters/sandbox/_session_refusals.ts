/**
 * What a session is refused with, and in which words: no caller learns more of a session than that it is not his.
 *
 * `session.ts` and `sessions.ts` decide when, `core/errors.ts` owns the codes.
 *
 * @module
 */

import { quote, SandboxError, SessionError } from "../../core/errors.ts";

/** A use under another authority that is valid. It names at most five of the places that differ. */
export function changedAuthority(changes: readonly string[]): SandboxError {
  const places = changes.slice(0, 5).map(quote).join(", ");
  return new SandboxError(
    "AUTHORITY_CHANGED",
    `Cannot go on with the session under another authority: ${changes.length} place(s) differ (${places}); ` +
      "its process was ended, and nothing was run. Start a new session under the authority of this call.",
  );
}

/** An id that names no session of the caller's thread. Whether another thread has it is not told. */
export function unknownSession(id: string): SessionError {
  return new SessionError(
    "SESSION_UNKNOWN",
    `Cannot use the session ${
      quote(id)
    }: this thread has none of that id; nothing was done. Start a new one.`,
  );
}

/** One session too many. */
export function tooManySessions(running: number): SessionError {
  return new SessionError(
    "SESSION_LIMIT",
    `Cannot start a session: ${running} run already, which is as many as the operator allows; nothing was run. ` +
      "End one first.",
  );
}
