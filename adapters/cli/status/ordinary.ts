/**
 * The ordinary servers of `codex-mcp status`: what the configuration and the variables say. Nobody is asked.
 *
 * @module
 */

import type { HttpEntry, StdioEntry } from "../../../core/configuration/entry.ts";
import { renderFault } from "../../../core/configuration/fault_text.ts";
import type { DisabledServer } from "../../../core/enterprise/config/configuration.ts";
import { quote } from "../../../core/errors.ts";
import { EXIT } from "../program/exit_code.ts";
import { toolsCommand } from "../program/tools_command.ts";
import type { OrdinaryStatus, StatusRow } from "./row.ts";

const NOTHING = { url: null, provider: null, account: null, until: null } as const;

/** The row of a server that can be used. */
export function ordinaryRow(
  entry: StdioEntry | HttpEntry,
  environment: Readonly<Record<string, string | undefined>>,
): StatusRow {
  const { name, kind, enabled } = entry;
  const auth = authOf(entry);
  const row = { ...NOTHING, name, kind, environment: entry.environment, auth, enabled } as const;
  if (!enabled) {
    const status: OrdinaryStatus = { kind: "configured" };
    return { ...row, status, message: "enabled = false.", next: null, exitCode: EXIT.done };
  }
  const next = toolsCommand(name);
  const variable = entry.kind === "http" ? entry.bearerTokenEnvVar : null;
  if (variable !== null && (environment[variable] ?? "") === "") {
    const state = `The variable ${quote(variable)}, which holds its bearer token, is not set`;
    const message = `${state}. Set it, then run: ${next}`;
    const status: OrdinaryStatus = { kind: "credential-missing", variable };
    return { ...row, status, message, next, exitCode: EXIT.refused };
  }
  const sentence = auth === "oauth-unsupported"
    ? "Its sign-in (OAuth) is not done by this host, which connects without."
    : "Not asked.";
  const status: OrdinaryStatus = { kind: "configured" };
  return { ...row, status, message: `${sentence} Run: ${next}`, next, exitCode: EXIT.done };
}

/** The row of a server that a fault disables. */
export function refusedOrdinaryRow({ name, faults: [fault] }: DisabledServer): StatusRow {
  const { code, field, layer } = fault;
  return {
    ...NOTHING,
    name,
    kind: null,
    environment: "local",
    auth: "none",
    enabled: true,
    status: { kind: "disabled", code, field, layer },
    message: `${renderFault(fault)} Correct it and run: codex-mcp status`,
    next: "codex-mcp status",
    exitCode: EXIT.refused,
  };
}

function authOf(entry: StdioEntry | HttpEntry): StatusRow["auth"] {
  if (entry.kind === "stdio") return "none";
  if (entry.bearerTokenEnvVar !== null) return "bearer";
  if (Object.keys({ ...entry.headers, ...entry.envHeaders }).length > 0) return "headers";
  return entry.auth === null ? "none" : "oauth-unsupported";
}
