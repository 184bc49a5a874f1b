/**
 * Which thread a call belongs to, as the host says.
 *
 * Codex sends `_meta.threadId` with every call. Like the authority it is the host's word: this file reads it from
 * the call's `_meta` and from nothing else. `authority_of.ts` reads the authority.
 *
 * @module
 */

import { SandboxError, SessionError } from "../../../core/errors.ts";
import { ownProperty } from "../../../core/json/value.ts";
import { readCallContext } from "./call_context.ts";

/** `_meta` key under which a host names the thread that a call belongs to. */
const THREAD_KEY = "threadId";

/**
 * The thread of the call that `context` belongs to, or `undefined` when the host names none: then all that is known
 * is the connection. Accepted are the contexts that {@linkcode authorityOf} accepts. Tool arguments have no way in.
 *
 * @throws {SessionError} `SESSION_INVALID` when the thread is named by something else than a text.
 * @throws {SandboxError} `STATE_CONFLICT` when copies of `_meta` name different threads.
 *
 * @example
 * ```ts
 * import { threadOf } from "@codex-mcp/runtime/mcp";
 *
 * console.log(threadOf({ params: { name: "run", _meta: { threadId: "t-1" } } })); // t-1
 * ```
 */
export function threadOf(context: unknown): string | undefined {
  const [thread, ...others] = readCallContext(context).metas.map((meta) => ownProperty(meta, THREAD_KEY));
  if (others.some((other) => other !== thread)) {
    throw new SandboxError(
      "STATE_CONFLICT",
      `Cannot tell the thread of this call: the copies of its _meta differ in ${THREAD_KEY}; nothing was run. ` +
        "Something in this server changed the call.",
    );
  }
  if (thread === undefined || typeof thread === "string") return thread;
  throw new SessionError(
    "SESSION_INVALID",
    `Cannot tell the thread of this call: its ${THREAD_KEY} is no text; nothing was run.`,
  );
}
