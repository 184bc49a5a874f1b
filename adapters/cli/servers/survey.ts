/**
 * Connecting to every configured server at once, and what each came to. A server that fails or is slow delays no other;
 * each has its start-up deadline to connect, and after that a time to list its tools.
 *
 * @module
 */

import { clearTimeout, setTimeout } from "node:timers";
import { CodexMcpError, HostError, quote } from "../../../core/errors.ts";
import { follow } from "../../async/follow.ts";
import type { Host } from "../../mcp/host/host.ts";
import type { ServerReport } from "../../mcp/host/servers/server_report.ts";
import type { Thread } from "../../mcp/host/thread/thread.ts";
import { withAdvice } from "../enterprise/advice.ts";
import { toolsCommand } from "../program/tools_command.ts";
import { type ServerRow, serverRow } from "./server_row.ts";

/** Milliseconds that a connected server may take to list its tools. */
const LIST_MS = 30_000;

/** How the survey ends early. */
export interface SurveyOptions {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Milliseconds to list tools; absent: 30 seconds. */
  readonly listMs?: number;
  /** The servers that are asked and told; absent: all. */
  readonly names?: readonly string[];
}

/**
 * Connects to the servers that are switched on, and lists their tools. Where the sign-ins are read anyway, those of
 * enterprise servers that are switched off are told too. Never rejects for a server.
 */
export async function survey(host: Host, options: SurveyOptions): Promise<readonly ServerRow[]> {
  const thread = host.openThread();
  const failures = new Map<string, CodexMcpError>();
  const { names, signal } = options;
  const isMeant = ({ name }: ServerReport): boolean => names === undefined || names.includes(name);
  const tried = host.servers().filter((one) => isMeant(one) && one.state !== "disabled");
  const looking = tried.some(({ kind }) => kind === "enterprise") ? look(host, signal) : null;
  await Promise.all(
    tried.map(async (report) => {
      const failure = await reach(report, { ...options, host, thread });
      if (failure !== null) failures.set(report.name, failure);
    }),
  );
  await looking;
  return thread.status().filter(isMeant).map((report) =>
    serverRow(report, failures.get(report.name) ?? null)
  );
}

/** Reads the sign-ins, unless that is given up. */
async function look(host: Host, signal: AbortSignal): Promise<void> {
  await host.look({ signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

interface Reaching extends SurveyOptions {
  readonly host: Host;
  readonly thread: Thread;
}

/** What went wrong; `null`: nothing. */
async function reach({ name, kind }: ServerReport, reaching: Reaching): Promise<CodexMcpError | null> {
  const { host, signal } = reaching;
  if (kind !== "enterprise") {
    const [report] = await host.connect([name], { signal });
    // why it is not connected is in its report
    if (report?.state !== "ready") return null;
  }
  try {
    await withAdvice(toolsCommand(name), () => list(name, reaching));
    return null;
  } catch (error) {
    if (error instanceof CodexMcpError) return error;
    throw error;
  }
}

/** Lists the tools, from the server itself. The time for it begins when the server is connected. */
async function list(name: string, { host, thread, signal, listMs = LIST_MS }: Reaching): Promise<void> {
  const limit = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    timer ??= setTimeout(() => limit.abort(), listMs);
  };
  if (host.servers().some((one) => one.name === name && one.state === "ready")) begin();
  const stop = host.events.subscribe((event) => {
    if (event.kind === "connected" && event.server === name) begin();
  });
  const { controller, stop: unfollow } = follow(signal, limit.signal);
  try {
    await thread.tools(name, { refresh: true, signal: controller.signal });
  } catch (error) {
    if (limit.signal.aborted && !signal.aborted) throw tooSlow(name, listMs);
    throw error;
  } finally {
    stop();
    unfollow();
    clearTimeout(timer);
  }
}

function tooSlow(server: string, milliseconds: number): HostError {
  const state = `it took longer than ${milliseconds / 1000} s`;
  return new HostError("CALL_TIMEOUT", `Cannot list the tools of ${quote(server)}: ${state}`, { server });
}
