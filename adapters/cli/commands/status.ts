/**
 * `codex-mcp status`: the sandbox, every configured server, signed in as whom, until when, what blocks it, the exact
 * next command. No request is sent, no server is started and no OAuth or MCP library is loaded.
 *
 * What is said about each is decided in `status/sandbox.ts`, `status/ordinary.ts` and
 * `status/enterprise.ts`.
 *
 * @module
 */

import { renderFault } from "../../../core/configuration/fault_text.ts";
import type { HostConfiguration } from "../../../core/configuration/host_configuration.ts";
import type { ConfigurationFault } from "../../../core/configuration/layers/fault.ts";
import { epochText } from "../../../core/enterprise/epoch.ts";
import { quote } from "../../../core/errors.ts";
import type { AccountFacts, ProviderFacts } from "../enterprise/sign_in_facts.ts";
import type { Command } from "../program/command.ts";
import { EXIT } from "../program/exit_code.ts";
import { type Flags, requireFlagsAlone } from "../program/flags.ts";
import { loadOffline } from "../program/load_configuration.ts";
import { onSameFile } from "../program/next_command.ts";
import type { CliRuntime } from "../program/runtime.ts";
import type { StatusRow } from "../status/row.ts";
import { knownServers } from "../status/rows.ts";
import { type SandboxStanding, sandboxStanding } from "../status/sandbox.ts";
import { shown, visible } from "../terminal/shown.ts";
import { diagnose, paint, print, printJson } from "../terminal/terminal.ts";

const HELP = `codex-mcp status [flags]

The sandbox, and every configured server: whether it can be used, signed in as whom, until when, what blocks it, and the
next command. Reads the configuration and the keyring, and sends nothing: codex-mcp servers connects.

  --codex PATH   the Codex CLI to look at (default: an installed @openai/codex)
  --config FILE  this file instead of config.toml in CODEX_HOME: TOML, or the JSON of other hosts (mcpServers)
  --json         print one JSON document: { "servers": [{ "name", "kind", "environment", "auth", "url", "provider",
                 "enabled", "status", "account", "until", "message", "next", "exitCode" }],
                 "sandbox": { "launcher", "message", "next", "exitCode" }, "faults", "warnings", "remarks" }

Exits with the worst state: 0 ready, 3 refused, 4 sign-in needed, 5 unavailable. Servers that are switched off do not
count, and neither does a Codex CLI that is missing, unless --codex names it.
`;

/** The command. */
export const STATUS: Command = { help: HELP, flags: { values: ["config", "codex"] }, run: status };

async function status(runtime: CliRuntime, flags: Flags): Promise<number> {
  requireFlagsAlone("status", flags);
  const standing = sandboxStanding(runtime, flags); // looks while the configuration is read
  standing.catch(() => {}); // told below, unless something else is
  const loaded = await loadOffline(runtime, flags);
  const { configuration } = loaded;
  const { rows: found, facts } = await knownServers(runtime, loaded);
  const rows = found.map((row) => onFile(row, flags));
  const sandbox = onFile(await standing, flags);
  const remarks = loaded.remarks.map((remark) => onSameFile(remark, flags));
  if (flags.has("json")) {
    const { faults, warnings } = configuration;
    printJson({ servers: rows, sandbox, faults, warnings, remarks });
  } else tell(rows, { sandbox, configuration, facts, remarks });
  const broken = rows.length === 0 && configuration.faults.length > 0 ? EXIT.refused : EXIT.done;
  const codes = rows.filter(({ enabled }) => enabled).map(({ exitCode }) => exitCode);
  return Math.max(broken, sandbox.exitCode, ...codes);
}

type Told = Pick<StatusRow, "message" | "next">;

/** What is told, with the next command on the same file. */
function onFile<Row extends Told>(row: Row, flags: Flags): Row {
  const { message, next } = row;
  return {
    ...row,
    message: onSameFile(message, flags),
    next: next === null ? null : onSameFile(next, flags),
  };
}

interface Surroundings {
  readonly sandbox: SandboxStanding;
  readonly configuration: HostConfiguration;
  readonly facts: ReadonlyMap<string, ProviderFacts>;
  readonly remarks: readonly string[];
}

function tell(rows: readonly StatusRow[], { sandbox, configuration, facts, remarks }: Surroundings): void {
  const found = sandbox.launcher === null ? paint("no launcher", "quiet") : paint("launcher found", "good");
  print(`sandbox: ${found}`);
  print(`  ${visible(sandbox.message)}`);
  if (rows.length === 0) print("No server is configured.");
  const width = Math.max(0, ...rows.map(({ name }) => shown(name).length));
  for (const { name, status, account, until, message, enabled } of rows) {
    const fine = status.kind === "ready" || status.kind === "configured";
    const off = enabled ? "" : ", switched off";
    print(
      `${shown(name).padEnd(width)}  ${paint(status.kind, fine ? "good" : "bad")}${off}${
        whose(account, until)
      }`,
    );
    print(`${" ".repeat(width)}  ${visible(message)}`);
  }
  for (const remark of remarks) diagnose(`codex-mcp: ${visible(remark)}`);
  for (const warning of configuration.warnings) diagnose(`codex-mcp: ${renderFault(warning)}`);
  for (const { trouble, keyring } of facts.values()) {
    // what is wrong with the keyring stands with each server
    if (trouble !== null && keyring === "open") diagnose(`codex-mcp: ${visible(trouble.message)}`);
  }
  const told = new Set(configuration.disabled.map(({ faults }) => renderFault(faults[0])));
  // a file that counts as the project's is remarked on as a whole: where it lies is wrong, and not each field
  const isRemarked = ({ code, layer }: ConfigurationFault): boolean =>
    code === "LAYER_NOT_TRUSTED" && remarks.some((remark) => remark.includes(quote(layer?.source ?? "")));
  for (const fault of new Set(configuration.faults.filter((one) => !isRemarked(one)).map(renderFault))) {
    if (!told.has(fault)) diagnose(`codex-mcp: ${fault}`);
  }
}

function whose(account: AccountFacts | null, until: number | null): string {
  if (account === null) return "";
  const workspace = account.workspace === null ? "" : `, workspace ${shown(account.workspace)}`;
  const end = until === null ? "" : `, until ${epochText(until)}`;
  return `  as ${shown(account.name)}${workspace}${end}`;
}
