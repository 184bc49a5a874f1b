/**
 * One tool call from its issue to its result: connect, decide what of the turn is sent, send, and refuse to deliver
 * what came under an authority that has changed meanwhile.
 *
 * | step | under which authority |
 * |---|---|
 * | issue | captured whole: `thread/host_thread.ts` |
 * | connect | the account's and the sign-in's, which have to be those of the issue |
 * | send | the state and the launcher of the issue |
 * | send again: a round, a repeat | all of it unchanged: `guard.ts` |
 * | deliver, after that or over a stream that was taken up again | all of it unchanged |
 * | deliver a plain answer | not asked about |
 *
 * @module
 */

import type { CallToolResult, Progress, Tool } from "@modelcontextprotocol/client";
import { type CodexMcpError, HostError, quote } from "../../../../core/errors.ts";
import type { ClockPort } from "../../../../core/ports/clock.ts";
import type { Platform } from "../../../../core/sandbox/path.ts";
import { HostClient } from "../client/host_client.ts";
import type { OpenConnection } from "../connect/server_connection.ts";
import type { LauncherChoice } from "../sandbox/launcher_choice.ts";
import { CallAuthority } from "./authority.ts";
import { callError, ownErrorIn } from "./error.ts";
import { type AuthorityNow, requireSame, requireSameOwner } from "./guard.ts";
import type { CallLifetime } from "./lifetime.ts";
import { buildCallParams, type CallInput } from "./params.ts";

/** What a call knows of its tool. */
export interface ToolKnowledge {
  /** The tool, without asking the server; `null`: nothing is known here. */
  known(connection: CallConnection): Promise<Tool | null>;
  /** Forgets what was known: it does not hold any more. */
  outdated(): Promise<void>;
  /** Asks the server, past everything that is known; `null`: there is no such tool. Rejects as listing does. */
  ask(connection: CallConnection, signal: AbortSignal): Promise<Tool | null>;
}

/** A connection, with the sign-in that it was made under when there is one, and what ends that. */
export type CallConnection = OpenConnection & {
  readonly grantGeneration?: string;
  readonly revoked?: AbortSignal;
};

/** What one call is made of. */
export interface CallPlan {
  /** What it was issued under. */
  readonly authority: CallAuthority;
  /** Arguments and `_meta`, copied. */
  readonly input: CallInput;
  /** Name of the server's execution environment. */
  readonly environment: string;
  /** How long it lives. */
  readonly life: CallLifetime;
  /** Told of progress; absent: none is asked for. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Connects. */
  readonly open: (signal: AbortSignal) => Promise<CallConnection>;
  /** What a call would be issued under now. */
  readonly now: () => AuthorityNow;
  /** What is known of the tool. */
  readonly knowledge: ToolKnowledge;
  /** Decides what of the turn is sent. */
  readonly launchers: LauncherChoice;
  /** Waits. */
  readonly clock: ClockPort;
  /** Whose path a launcher is. */
  readonly platform: Platform;
}

/** Seconds before a request that answers nothing. */
const PACE = 0.25;

/** What a server answers when it has no such tool, among other things. JSON-RPC 2.0: invalid parameters. */
const INVALID_PARAMS = -32602;

/** Makes the call. Rejects with an error of ours, whatever happens. */
export async function runCall(plan: CallPlan): Promise<CallToolResult> {
  const { life } = plan;
  let connection: CallConnection | null = null;
  try {
    connection = await life.during(openLive(plan));
    return await life.during(send(plan, connection));
  } catch (error) {
    throw life.error ?? await life.during(explain(plan, { error, connection }));
  } finally {
    life.over();
  }
}

/** A connection that is not gone already: nothing was sent over it, so another will do. */
async function openLive({ open, life }: CallPlan): Promise<CallConnection> {
  const first = await open(life.signal);
  return first.closed.aborted ? await open(life.signal) : first;
}

async function send(plan: CallPlan, connection: CallConnection): Promise<CallToolResult> {
  const { authority, environment, life, launchers, knowledge, now, clock } = plan;
  const { thread, server, tool, turn } = authority.issued;
  const { capabilities, transport } = connection;
  const binding = await launchers.bind(turn, {
    server: { environment, transport },
    capabilities,
    signal: life.signal,
  });
  const definition = await knowledge.known(connection);
  if (life.error !== null) throw life.error;
  const client = clientOf(connection);
  const params = buildCallParams({ ...plan, ...plan.input, tool, thread, binding, connection });
  const current = now();
  requireSameOwner(authority, current);
  requireSameOwner(authority, { ...current, generation: connection.grantGeneration ?? current.generation });
  CallAuthority.markSent(authority, {
    connection: connection.number,
    transport,
    protocol: connection.protocol,
    generation: connection.grantGeneration ?? null,
    stateText: binding.state.sent ? binding.state.value : null,
    noState: binding.state.sent ? null : binding.state.reason,
    launcher: binding.launcher.sent ? binding.launcher.launcher.codexExecutable : null,
    noLauncher: binding.launcher.sent ? null : binding.launcher.reason,
  });
  const resumptions = connection.resumptions();
  let repeated = false;
  const result = await client.callGuarded(params, {
    context: { server, thread, tool, signal: life.signal },
    repeat: () => {
      repeated = true;
      requireSame(authority, now());
    },
    whileAsking: (work) => life.whileAsking(work),
    pause: async () => void await clock.sleep(PACE, life.signal),
    onProgress: progressOf(plan),
    definition: definition ?? undefined,
    renew: async () => {
      await knowledge.outdated();
      return await knowledge.ask(connection, life.signal);
    },
  });
  if (repeated || connection.resumptions() !== resumptions) requireSame(authority, now());
  return result;
}

/** A listener that hears nothing once the call is over, and whose failure is not the call's. */
function progressOf({ onProgress, life }: CallPlan): CallPlan["onProgress"] {
  if (onProgress === undefined) return undefined;
  return (progress) => {
    if (life.isOver) return;
    (async () => await onProgress(progress))().catch(() => {}); // it is nobody's but its own
  };
}

/** What went wrong, as an error of ours. */
async function explain(
  plan: CallPlan,
  { error, connection }: { readonly error: unknown; readonly connection: CallConnection | null },
): Promise<CodexMcpError> {
  const { server, tool } = plan.authority.issued;
  const fromOutside = connection !== null && clientOf(connection).cameFromOutside(error);
  const ours = callError(error, { server, tool, fromOutside });
  // what the answer was held against may be an earlier promise
  if (ours.code === "RESULT_INVALID") await plan.knowledge.outdated();
  if (ours.code === "CONNECTION_LOST" && connection?.revoked?.aborted) {
    return ownErrorIn(connection.revoked.reason) ?? ours; // it was ended, and this says why
  }
  if (connection === null || !(ours instanceof HostError) || ours.rpcCode !== INVALID_PARAMS) return ours;
  // servers say so in words of their own: their list tells
  const asked = await plan.knowledge.ask(connection, plan.life.signal).catch(() => undefined);
  if (asked !== null) return ours;
  return new HostError(
    "TOOL_UNKNOWN",
    `Cannot call ${quote(tool)} at ${quote(server)}: there is no such tool`,
    {
      server,
      rpcCode: INVALID_PARAMS,
    },
  );
}

function clientOf({ client }: CallConnection): HostClient {
  if (client instanceof HostClient) return client;
  throw new TypeError("A host connects with clients of its own");
}
