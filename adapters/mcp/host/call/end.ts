/**
 * What a call ends with that was ended from here: by its caller, its thread, its host or its deadline.
 *
 * @module
 */

import type { ServerEntry } from "../../../../core/configuration/entry.ts";
import { HostError, quote } from "../../../../core/errors.ts";
import { CallLifetime } from "./lifetime.ts";

/** Whose life it is. */
export interface CallEndOptions {
  /** The server. */
  readonly entry: Pick<ServerEntry, "name" | "toolTimeoutMs">;
  /** Name of the tool; `null` where tools are listed. */
  readonly tool: string | null;
  /** Id of the thread. */
  readonly thread: string;
  /** Aborted when the host is closed. */
  readonly host: AbortSignal;
  /** Aborted when the thread is closed. */
  readonly closing: AbortSignal;
  /** Aborted when the caller does not want it any more; absent: never. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that it may take; absent: what the configuration says. */
  readonly timeoutMs?: number | undefined;
}

/** Begins the life of a call: the host's end comes before the thread's, and that before the caller's. */
export function lifetimeOf(
  { entry, tool, thread, host, closing, signal, ...options }: CallEndOptions,
): CallLifetime {
  const { name, toolTimeoutMs } = entry;
  const { timeoutMs = toolTimeoutMs } = options;
  const configured = options.timeoutMs === undefined;
  return new CallLifetime({
    ends: [
      { signal: host, error: hostClosed },
      { signal: closing, error: () => threadClosed(thread) },
      ...(signal === undefined ? [] : [{ signal, error: () => cancelled(name, tool) }]),
    ],
    timeoutMs,
    timedOut: () => timedOut(name, { tool, timeoutMs, configured }),
  });
}

/** The host is closed. */
export function hostClosed(): HostError {
  return new HostError("HOST_CLOSED", "Cannot use the host: it is closed");
}

/** The thread is closed. */
export function threadClosed(id: string): HostError {
  return new HostError("THREAD_CLOSED", `Cannot use the thread ${quote(id)}: it is closed`);
}

/** Its caller does not want it any more. `tool` is `null` where tools are listed. */
export function cancelled(server: string, tool: string | null): HostError {
  return new HostError("CALL_CANCELLED", `Cannot ${actionAt(server, tool)}: the caller cancelled it`, {
    server,
  });
}

/** Its time is over; `configured`: it is the configuration's, which the message then names the field of. */
export function timedOut(
  server: string,
  { tool, timeoutMs, configured }: {
    readonly tool: string | null;
    readonly timeoutMs: number;
    readonly configured: boolean;
  },
): HostError {
  const unknown = tool === null ? "" : ". Whether the tool ran is not known";
  const field = configured ? " (tool_timeout_sec)" : "";
  const state = `it took longer than ${timeoutMs / 1000} s${field}${unknown}`;
  return new HostError("CALL_TIMEOUT", `Cannot ${actionAt(server, tool)}: ${state}`, { server });
}

function actionAt(server: string, tool: string | null): string {
  return tool === null ? `list the tools of ${quote(server)}` : `call ${quote(tool)} at ${quote(server)}`;
}
