/**
 * `codex-mcp servers`: every configured server, connected to at once, and how that went.
 *
 * What is tried is decided in `servers/survey.ts`, how it is shown in `servers/server_table.ts`.
 *
 * @module
 */

import { renderFault } from "../../../core/configuration/fault_text.ts";
import { withHost } from "../host/open_host.ts";
import type { Command } from "../program/command.ts";
import { UsageError } from "../program/exit_code.ts";
import { type Flags, requireFlagsAlone } from "../program/flags.ts";
import { loadOffline } from "../program/load_configuration.ts";
import { onSameFile } from "../program/next_command.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { offlineRows } from "../servers/offline_rows.ts";
import { type ServerRow, worstOf } from "../servers/server_row.ts";
import { serverTable } from "../servers/server_table.ts";
import { survey } from "../servers/survey.ts";
import { interruptible } from "../terminal/interruption.ts";
import { visible } from "../terminal/shown.ts";
import { diagnose, print, printJson, withSpinner } from "../terminal/terminal.ts";

const HELP = `codex-mcp servers [flags]

Every configured server: where it stands, which protocol it speaks, how this host identifies itself, its execution
environment, whether a server that is started here asks for the sandbox policy of a call (asks, does not ask, unknown:
not connected), how many tools may be used, and what is wrong. Connects to all at once, each within its start-up deadline.

  --connect      connect to the servers that are switched on (the default)
  --offline      connect to none: what the configuration says alone
  --stderr       show what failing servers wrote to standard error, which may hold anything
  --config FILE  this file instead of config.toml in CODEX_HOME: TOML, or the JSON of other hosts (mcpServers)
  --json         print one JSON document: { "servers": [{ "name", "kind", "transport", "environment", "enabled",
                 "state", "era", "protocol", "sandbox", "auth", "tools", "reason", "exitCode", "enterprise",
                 "faults" }],
                 "warnings" }

Exits with the worst: 0 fine, 3 refused, 4 sign-in needed, 5 unavailable. Servers that are switched off do not count.
`;

/** The command. */
export const SERVERS: Command = {
  help: HELP,
  flags: { switches: ["connect", "offline", "stderr"], values: ["config"] },
  run: servers,
};

async function servers(runtime: CliRuntime, flags: Flags): Promise<number> {
  requireFlagsAlone("servers", flags, " One server: codex-mcp tools SERVER");
  if (flags.has("connect") && flags.has("offline")) throw new UsageError("--connect or --offline, not both.");
  const found = flags.has("offline") ? await lookOffline(runtime, flags) : await connect(runtime, flags);
  const rows = found.rows.map((row) => onFile(row, flags));
  const warnings = found.warnings.map((warning) => onSameFile(warning, flags));
  if (flags.has("json")) printJson({ servers: rows.map((row) => forScripts(row, flags)), warnings });
  else tell(rows, { warnings, flags });
  return worstOf(rows);
}

interface Found {
  readonly rows: readonly ServerRow[];
  readonly warnings: readonly string[];
}

async function lookOffline(runtime: CliRuntime, flags: Flags): Promise<Found> {
  const loaded = await loadOffline(runtime, flags);
  const { remarks, configuration } = loaded;
  const warnings = [...remarks, ...configuration.warnings.map(renderFault)];
  return { rows: await offlineRows(runtime, loaded), warnings };
}

async function connect(runtime: CliRuntime, flags: Flags): Promise<Found> {
  return await interruptible((signal) =>
    withHost(runtime, { flags }, async (host) => ({
      rows: await withSpinner("Connecting", () => survey(host, { signal })),
      warnings: host.warnings(),
    }))
  );
}

/** A row, with the next command on the same file. */
function onFile(row: ServerRow, flags: Flags): ServerRow {
  if (row.reason === null) return row;
  return { ...row, reason: { ...row.reason, message: onSameFile(row.reason.message, flags) } };
}

function forScripts({ stderr, ...row }: ServerRow, flags: Flags): object {
  return flags.has("stderr") ? { ...row, stderr } : row;
}

function tell(
  rows: readonly ServerRow[],
  { warnings, flags }: { readonly warnings: readonly string[]; readonly flags: Flags },
): void {
  if (rows.length === 0) print("No server is configured.");
  for (const line of serverTable(rows, { stderr: flags.has("stderr") })) print(line);
  for (const warning of warnings) diagnose(`codex-mcp: ${visible(warning)}`);
}
