/**
 * One attempt to connect: a start of the server, and a second one in another era when that failed (`era_plan.ts`), all
 * within the server's start-up time.
 *
 * @module
 */

import { Client } from "@modelcontextprotocol/client";
import type { HttpEntry, StdioEntry } from "../../../../core/configuration/entry.ts";
import { type Carrier, type CarrierOptions, makeCarrier } from "./carrier.ts";
import { type EraMemory, type EraPlan, firstPlan, nextMemory, secondPlan } from "./era_plan.ts";
import { describeFailure, type Failed, failed } from "./failure.ts";
import { StartDeadline } from "./start_deadline.ts";

/** A server that answered. */
export interface Connected {
  /** The client. */
  readonly client: Client;
  /** What carries it. */
  readonly carrier: Carrier;
}

/** What an attempt came to. */
export interface Attempted {
  /** The connection, or why there is none. */
  readonly outcome: Connected | Failed;
  /** What is remembered for the next attempt. */
  readonly memory: EraMemory;
}

/** With what an attempt is made. */
export interface AttemptOptions extends CarrierOptions {
  /** What earlier attempts left. */
  readonly memory: EraMemory;
  /** What has to be over first. */
  readonly after: Promise<unknown>;
  /** Aborted when the connection is closed for good. */
  readonly signal: AbortSignal;
  /** Called when the server says that its tools have changed. */
  readonly onToolsChanged: () => void;
  /** Takes the ending of a server, which may take longer than the attempt. */
  readonly onEnding: (ending: Promise<void>) => void;
}

/** Connects to the server. Never rejects. */
export async function attempt(entry: StdioEntry | HttpEntry, options: AttemptOptions): Promise<Attempted> {
  const deadline = new StartDeadline(entry.startupTimeoutMs, options.signal);
  try {
    await deadline.race(options.after);
    const startupMs = deadline.remainingMs;
    let plan = firstPlan(entry, { memory: options.memory, transport: entry.kind, startupMs });
    for (let second = false;; second = true) {
      const outcome = await startOnce(entry, { plan, deadline, options });
      const failure = "error" in outcome ? outcome.era : null;
      const elapsedMs = startupMs - deadline.remainingMs;
      const next = second
        ? null
        : secondPlan(plan, { failure: failure ?? null, elapsedMs, remainingMs: deadline.remainingMs });
      if (next !== null) {
        plan = next;
        continue;
      }
      const inVain = "client" in outcome && outcome.client.getProtocolEra() === "legacy" &&
        plan.mode === "auto" && elapsedMs >= plan.probeMs;
      return { outcome, memory: nextMemory(options.memory, { plan, second, failed: failure, inVain }) };
    }
  } finally {
    deadline.stop();
  }
}

interface Start {
  readonly plan: EraPlan;
  readonly deadline: StartDeadline;
  readonly options: AttemptOptions;
}

async function startOnce(
  entry: StdioEntry | HttpEntry,
  { plan, deadline, options }: Start,
): Promise<Connected | Failed> {
  const carrier = await deadline.race(makeCarrier(entry, options));
  if (carrier === undefined) return lateFailure(entry, options);
  if ("error" in carrier) return carrier;
  const { transport } = carrier;
  let thrown: unknown;
  try {
    const client = await deadline.race(connect(carrier, { plan, deadline, options }));
    if (client !== undefined) return { client, carrier };
  } catch (error) {
    thrown = error;
  }
  const ending = transport.close();
  options.onEnding(ending);
  // how it ended is known when it is gone, and the next start must not meet it
  await deadline.race(ending);
  if (deadline.signal.aborted) return lateFailure(entry, options);
  return describeFailure(thrown, { server: entry.name, ended: carrier.ended(), unset: carrier.unset });
}

async function connect(carrier: Carrier, { plan, deadline, options }: Start): Promise<Client> {
  const client = new (options.client ?? Client)(options.clientInfo, {
    ...options.clientOptions,
    capabilities: options.capabilities ?? {},
    versionNegotiation: { mode: plan.mode, probe: { timeoutMs: Math.max(1, plan.probeMs) } },
  });
  options.prepare?.(client);
  client.setNotificationHandler("notifications/tools/list_changed", options.onToolsChanged);
  await client.connect(carrier.transport, {
    timeout: Math.max(1, plan.handshakeMs),
    signal: deadline.signal,
  });
  return client;
}

function lateFailure(entry: StdioEntry | HttpEntry, { signal }: AttemptOptions): Failed {
  if (signal.aborted) return failed(entry.name, { reason: "ended", state: "the connection was closed" });
  const state = `it was not ready within ${entry.startupTimeoutMs / 1000} s (startup_timeout_sec)`;
  return failed(entry.name, { code: "SERVER_TIMEOUT", reason: "timeout", state, era: "silent" });
}
