/**
 * The rows of `codex-mcp servers --offline`: what the configuration, the variables and the keyring say, without a host.
 *
 * @module
 */

import type { ServerStatus } from "../../../core/enterprise/status/status.ts";
import type { LoadedHostConfiguration } from "../../configuration/load_configuration.ts";
import { EXIT } from "../program/exit_code.ts";
import type { CliRuntime } from "../program/runtime.ts";
import type { StatusRow } from "../status/row.ts";
import { knownServers } from "../status/rows.ts";
import { sandboxAnswer, type ServerRow } from "./server_row.ts";

/**
 * The rows, by name.
 *
 * @throws {EnterpriseError} `LOCK_TIMEOUT` when another process holds the lock of the sign-ins for too long.
 */
export async function offlineRows(
  runtime: CliRuntime,
  loaded: LoadedHostConfiguration,
): Promise<readonly ServerRow[]> {
  const { rows } = await knownServers(runtime, loaded);
  const { disabled } = loaded.configuration;
  return rows.map((row) => ({
    ...offlineRow(row),
    faults: disabled.find(({ name }) => name === row.name)?.faults ?? [],
  }));
}

function offlineRow(row: StatusRow): ServerRow {
  const { name, kind, environment, enabled, auth, status } = row;
  const fine = row.exitCode === EXIT.done || !enabled;
  const off = !enabled || status.kind === "disabled";
  return {
    name,
    kind,
    transport: kind === null ? null : kind === "stdio" ? "stdio" : "http",
    environment,
    enabled,
    state: off ? "disabled" : fine ? "idle" : "failed",
    era: null,
    protocol: null,
    sandbox: sandboxAnswer({ kind, environment, acceptsSandbox: null }),
    auth,
    tools: null,
    reason: fine ? null : { code: codeOf(status), message: row.message },
    exitCode: fine ? EXIT.done : row.exitCode,
    enterprise: kind === "enterprise" ? status as ServerStatus : null,
    faults: [],
    stderr: "",
  };
}

/** The code that a host would give. */
function codeOf(status: StatusRow["status"]): string {
  if (status.kind === "disabled") return status.code;
  return status.kind === "credential-missing" ? "SERVER_DISABLED" : status.kind;
}
