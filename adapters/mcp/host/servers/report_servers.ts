/**
 * Reports on the servers of a host, from what is known without asking anybody.
 *
 * The shape is `server_report.ts`'s; what an enterprise server's authorization is,
 * `core/enterprise/status/status.ts`'s.
 *
 * @module
 */

import type { EnterpriseEntry, ServerEntry } from "../../../../core/configuration/entry.ts";
import { renderFault } from "../../../../core/configuration/fault_text.ts";
import type { DisabledServer } from "../../../../core/enterprise/config/configuration.ts";
import type { ServerStatus } from "../../../../core/enterprise/status/status.ts";
import { guidance } from "../../../../core/enterprise/status/status_text.ts";
import type { ConnectionState } from "../connect/server_connection.ts";
import type { ServerAuth, ServerReport, ServerState } from "./server_report.ts";
import type { ServerSlot } from "./server_slot.ts";

/** What is known of enterprise servers. */
export interface EnterpriseFacts {
  /** The status of a server, in the thread that is asked about. */
  readonly status: (server: string) => ServerStatus;
  /** The revision of the protocol of the connection, in the thread that is asked about; `null`: there is none. */
  readonly protocol: (server: string) => string | null;
}

/** Nothing about a server is known. */
const NOTHING = {
  era: null,
  protocol: null,
  acceptsSandbox: null,
  enterprise: null,
  tools: null,
  reason: null,
  faults: [],
  stderr: "",
} as const;

/** Reports on a server that can be used. */
export function reportSlot(slot: ServerSlot, facts: EnterpriseFacts): ServerReport {
  const { entry, connection, tools } = slot;
  const { kind, name, environment, enabled } = entry;
  const transport = kind === "stdio" ? "stdio" : "http";
  const known = {
    ...NOTHING,
    name,
    kind,
    transport,
    environment,
    enabled,
    auth: authOf(entry),
    tools,
  } as const;
  if (entry.kind === "enterprise") return { ...known, ...enterpriseState(entry, facts) };
  const state = connection?.state();
  if (!enabled || connection === null || state === undefined) return { ...known, state: "disabled" };
  return { ...known, ...ordinaryState(state), stderr: connection.stderrTail() };
}

/** Reports on a server that a fault disables. */
export function reportDisabled({ name, faults }: DisabledServer): ServerReport {
  const [fault] = faults;
  return {
    ...NOTHING,
    name,
    kind: null,
    transport: null,
    environment: "local",
    enabled: true,
    state: "disabled",
    auth: "none",
    reason: { code: fault.code, message: renderFault(fault) },
    faults,
  };
}

/**
 * A report as a thread that is closed leaves it: its connections are gone, those that threads share are not its own.
 */
export function reportLeft(report: ServerReport): ServerReport {
  if (report.kind !== "enterprise" || report.state === "disabled") return report;
  return { ...report, state: "closed", era: null, protocol: null };
}

type Standing = Pick<ServerReport, "state" | "era" | "protocol" | "reason">;

function ordinaryState(state: ConnectionState): Standing & Pick<ServerReport, "acceptsSandbox"> {
  const { kind } = state;
  if (kind === "ready") {
    const { era, protocol, acceptsSandbox } = state;
    return { state: kind, era, protocol, acceptsSandbox, reason: null };
  }
  const reason = kind === "waiting" || kind === "failed"
    ? { code: state.reason.code, message: state.reason.message }
    : null;
  return { state: kind, era: null, protocol: null, acceptsSandbox: null, reason };
}

function enterpriseState(
  { name, enabled, server }: EnterpriseEntry,
  facts: EnterpriseFacts,
): Standing & Pick<ServerReport, "enterprise"> {
  const enterprise = facts.status(name);
  const protocol = facts.protocol(name);
  const fine = enterprise.kind === "ready";
  const state: ServerState = !enabled || enterprise.kind === "disabled"
    ? "disabled"
    : protocol !== null
    ? "ready"
    : fine
    ? "idle"
    : "failed";
  return {
    state,
    era: protocol === null ? null : eraOf(protocol),
    protocol,
    enterprise,
    reason: fine
      ? null
      : { code: enterprise.kind, message: guidance(enterprise, { server: name, provider: server.provider }) },
  };
}

function eraOf(protocol: string): "modern" | "legacy" {
  return protocol >= "2026-07-28" ? "modern" : "legacy"; // revisions are dates
}

function authOf(entry: ServerEntry): ServerAuth {
  if (entry.kind === "enterprise") return "enterprise";
  if (entry.kind === "stdio") return "none";
  if (entry.bearerTokenEnvVar !== null) return "bearer";
  const fields = [...Object.keys(entry.headers), ...Object.keys(entry.envHeaders)];
  if (fields.length > 0) return "headers";
  return entry.auth === null ? "none" : "oauth-unsupported";
}
