/**
 * Connecting to a server before it is called, to know what the call has to carry. The time that it takes is the
 * call's: what is left of that, the call gets.
 *
 * @module
 */

import { clearTimeout, setTimeout } from "node:timers";
import { HostError, quote } from "../../../core/errors.ts";
import { follow } from "../../async/follow.ts";
import { cancelled } from "../../mcp/host/call/end.ts";
import type { Host } from "../../mcp/host/host.ts";
import type { ServerReport } from "../../mcp/host/servers/server_report.ts";
import { isHostErrorCode } from "../program/exit_code.ts";
import { shown } from "../terminal/shown.ts";

/** Whose connection it is. */
export interface FirstConnection {
  /** Name of the server, which is an ordinary one that is switched on. */
  readonly server: string;
  /** The tool that is called then. */
  readonly tool: string;
  /** Milliseconds that connecting may take; absent: what the server's configuration says. */
  readonly timeoutMs?: number | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Connects, and tells whether the server asks for the sandbox state.
 *
 * @throws {HostError} `SERVER_UNAVAILABLE`, `SERVER_DISABLED` or `SERVER_TIMEOUT` when there is no connection.
 * @throws {HostError} `CALL_TIMEOUT` when it takes longer than the call may, `CALL_CANCELLED` when `signal` is aborted.
 */
export async function connectFirst(
  host: Pick<Host, "connect">,
  { server, tool, timeoutMs, signal }: FirstConnection,
): Promise<boolean> {
  const limit = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => limit.abort(), timeoutMs);
  const { controller, stop } = follow(signal, limit.signal);
  const [report] = await host.connect([server], { signal: controller.signal }).finally(() => {
    stop();
    clearTimeout(timer);
  });
  if (report?.state === "ready") return report.acceptsSandbox === true;
  if (signal.aborted) throw cancelled(server, tool);
  throw limit.signal.aborted && timeoutMs !== undefined
    ? tooSlow(server, { tool, timeoutMs })
    : failureOf(server, report);
}

function failureOf(server: string, report: ServerReport | undefined): HostError {
  const { code = "", message = `Cannot connect to the server ${quote(server)}` } = report?.reason ?? {};
  return new HostError(isHostErrorCode(code) ? code : "SERVER_UNAVAILABLE", message, { server });
}

/** The tool was not called: connecting took all the time that the call had. */
export function tooSlow(
  server: string,
  { tool, timeoutMs }: { readonly tool: string; readonly timeoutMs: number },
): HostError {
  const state = `connecting took longer than ${timeoutMs / 1000} s. ` +
    `Look at what does not answer: codex-mcp doctor ${shown(server)}`;
  return new HostError("CALL_TIMEOUT", `Cannot call ${quote(tool)} at ${quote(server)}: ${state}`, {
    server,
  });
}
