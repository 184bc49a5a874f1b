/**
 * One server as `codex-mcp servers` tells it: what the host reports, what went wrong when it was tried, and the exit
 * code that makes.
 *
 * @module
 */

import type { ConfigurationFault } from "../../../core/configuration/layers/fault.ts";
import type { ServerStatus } from "../../../core/enterprise/status/status.ts";
import { statusExitCode } from "../../../core/enterprise/status/status_text.ts";
import type { CodexMcpError } from "../../../core/errors.ts";
import type { ServerReport } from "../../mcp/host/servers/server_report.ts";
import { EXIT, exitCodeOf, hostExitCode } from "../program/exit_code.ts";

/** Whether a server asks for the sandbox policy, which it says when it is connected to. */
export type SandboxAnswer = "asks" | "does-not-ask" | "unknown";

/** A server, for the table and for scripts. */
export interface ServerRow {
  /** Its name. */
  readonly name: string;
  /** What kind it is; `null`: a fault keeps that from being known. */
  readonly kind: ServerReport["kind"];
  /** How it is reached; `null`: as with `kind`. */
  readonly transport: ServerReport["transport"];
  /** Name of its execution environment. */
  readonly environment: string;
  /** Whether the configuration switches it on. */
  readonly enabled: boolean;
  /** Where it stands. */
  readonly state: ServerReport["state"];
  /** Which handshake is spoken; `null`: not connected. */
  readonly era: ServerReport["era"];
  /** The revision of the protocol; `null`: not connected. */
  readonly protocol: string | null;
  /** Whether a server that is started here asks for the sandbox policy of a call; `null`: it is not started here. */
  readonly sandbox: SandboxAnswer | null;
  /** How this host identifies itself. */
  readonly auth: ServerReport["auth"];
  /** How many tools may be used; `null`: they were not listed. */
  readonly tools: number | null;
  /** What is wrong; `null`: nothing. */
  readonly reason: { readonly code: string; readonly message: string } | null;
  /** Exit code of where it stands: 0 fine or switched off, 3 refused, 4 sign-in needed, 5 unavailable. */
  readonly exitCode: number;
  /** The authorization of an enterprise server; `null` for another. */
  readonly enterprise: ServerStatus | null;
  /** What in the configuration disables it. */
  readonly faults: readonly ConfigurationFault[];
  /** The end of what it wrote to standard error. It may hold anything: shown only when it is asked for. */
  readonly stderr: string;
}

/** Makes the row. `failure` is what trying it came to; `null`: it was not tried, or nothing went wrong. */
export function serverRow(report: ServerReport, failure: CodexMcpError | null): ServerRow {
  const { name, kind, transport, environment, enabled, state, era, protocol, auth, tools } = report;
  const { enterprise, faults, stderr } = report;
  return {
    ...{ name, kind, transport, environment, enabled, state, era, protocol, auth, tools },
    sandbox: sandboxAnswer(report),
    ...(enabled ? standing(report, failure) : { reason: null, exitCode: EXIT.done }),
    ...{ enterprise, faults, stderr },
  };
}

/** What is known of whether it asks. A server elsewhere runs its commands elsewhere. */
export function sandboxAnswer(
  { kind, environment, acceptsSandbox }: Pick<ServerReport, "kind" | "environment" | "acceptsSandbox">,
): SandboxAnswer | null {
  if (kind !== "stdio" || environment !== "local") return null;
  if (acceptsSandbox === null) return "unknown";
  return acceptsSandbox ? "asks" : "does-not-ask";
}

function standing(
  { enterprise, faults, reason }: ServerReport,
  failure: CodexMcpError | null,
): Pick<ServerRow, "reason" | "exitCode"> {
  if (failure !== null) {
    const { code, message } = failure;
    return { reason: { code, message }, exitCode: exitCodeOf(failure) };
  }
  if (reason === null) return { reason, exitCode: EXIT.done };
  if (faults.length > 0) return { reason, exitCode: EXIT.refused };
  return { reason, exitCode: enterprise === null ? hostExitCode(reason.code) : statusExitCode(enterprise) };
}

/** The highest exit code; 0 for no row. */
export function worstOf(rows: readonly Pick<ServerRow, "exitCode">[]): number {
  return Math.max(EXIT.done, ...rows.map(({ exitCode }) => exitCode));
}
