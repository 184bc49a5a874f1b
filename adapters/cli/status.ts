/**
 * `codex-mcp status`: every configured enterprise server, signed in as whom, until when, what blocks it, the exact
 * next command. No request is sent and no OAuth or MCP library is loaded.
 *
 * What is known of a sign-in is found out in `enterprise/sign_in_facts.ts`; which status that makes, its sentence and
 * its exit code are decided in `core/enterprise`.
 *
 * @module
 */

import type { DisabledServer } from "../../core/enterprise/config/configuration.ts";
import type { EnterpriseServer } from "../../core/enterprise/config/server.ts";
import { type ServerStatus, serverStatus } from "../../core/enterprise/status.ts";
import { guidance, statusExitCode, worstExitCode } from "../../core/enterprise/status_text.ts";
import type { Command } from "./command_line.ts";
import { type EnterpriseParts, openEnterprise } from "./enterprise/parts.ts";
import { type AccountFacts, factsOfProvider, type ProviderFacts } from "./enterprise/sign_in_facts.ts";
import { shown, visible } from "./enterprise/shown.ts";
import { EXIT, UsageError } from "./exit_code.ts";
import type { Flags } from "./flags.ts";
import type { CliRuntime } from "./runtime.ts";
import { diagnose, paint, print, printJson } from "./terminal.ts";

const HELP = `codex-mcp status [flags]

Every configured enterprise server: signed in as whom, until when, what blocks it, and the next command. Reads the
configuration and the keyring, and sends nothing.

  --config FILE  this file instead of config.toml in CODEX_HOME
  --json         print one JSON document: { "servers": [{ "name", "url", "provider", "enabled", "status", "account",
                 "until", "message", "next", "exitCode" }], "faults", "warnings", "remarks" }

Exits with the worst state: 0 ready, 3 refused, 4 sign-in needed, 5 unavailable. Servers that are switched off do not
count.
`;

/** The command. */
export const STATUS: Command = { help: HELP, flags: { values: ["config"] }, run: status };

/** What is said about one server. */
export interface ServerReport {
  /** Its name. */
  readonly name: string;
  /** Its URL; `null`: its configuration is refused. */
  readonly url: string | null;
  /** Name of its identity provider; `null`: as above. */
  readonly provider: string | null;
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /** Its status. */
  readonly status: ServerStatus;
  /** Who is signed in; `null`: nobody, or it cannot be read. */
  readonly account: AccountFacts | null;
  /** Until when, epoch seconds; `null`: it is renewed, or nobody is signed in. */
  readonly until: number | null;
  /** What it means and what to do. */
  readonly message: string;
  /** The next command; `null`: the message names none. */
  readonly next: string | null;
  /** Exit code of the status. */
  readonly exitCode: number;
}

async function status(runtime: CliRuntime, flags: Flags): Promise<number> {
  if (flags.rest.length > 0) throw new UsageError("status takes flags alone.");
  const parts = await openEnterprise(runtime, flags);
  const { configuration: { servers, disabled, providers, faults, warnings }, remarks } = parts;
  const facts = new Map<string, ProviderFacts>();
  for (const provider of providers.filter(({ name }) => servers.some((server) => server.provider === name))) {
    facts.set(provider.name, await factsOfProvider(provider, parts));
  }
  const reports = [
    ...servers.map((server) => reportOn(server, { facts: facts.get(server.provider), parts })),
    ...disabled.map(reportDisabled),
  ].toSorted((a, b) => a.name < b.name ? -1 : 1);
  if (flags.has("json")) printJson({ servers: reports, faults, warnings, remarks });
  else tell(reports, { parts, facts });
  if (reports.length === 0) return faults.length === 0 ? EXIT.done : EXIT.refused;
  return worstExitCode(reports.filter(({ enabled }) => enabled).map((report) => report.status));
}

function reportOn(
  { name, url, provider, enabled }: EnterpriseServer,
  { facts, parts }: { readonly facts: ProviderFacts | undefined; readonly parts: EnterpriseParts },
): ServerReport {
  const status = serverStatus({
    configuration: { kind: "valid" },
    fault: null,
    keyring: facts?.keyring ?? "open",
    marker: facts?.marker ?? "readable",
    signIn: facts?.signIn ?? null,
    gone: facts?.gone ?? "not-signed-in",
    block: null,
    revoked: null,
    unavailable: false,
    extension: null,
    now: parts.clock.now(),
  });
  const until = status.kind === "ready" ? status.until : null;
  return {
    name,
    url,
    provider,
    enabled,
    account: facts?.account ?? null,
    until,
    ...saying(status, name, provider),
  };
}

function reportDisabled({ name, faults: [{ code, field, layer }] }: DisabledServer): ServerReport {
  const status: ServerStatus = { kind: "disabled", code, field, layer };
  const nothing = { url: null, provider: null, account: null, until: null };
  return { name, ...nothing, enabled: true, ...saying(status, name, null) };
}

function saying(
  status: ServerStatus,
  server: string,
  provider: string | null,
): Pick<ServerReport, "status" | "message" | "next" | "exitCode"> {
  const message = guidance(status, { server, provider });
  return { status, message, next: nextCommand(message), exitCode: statusExitCode(status) };
}

/** The command at the end of a sentence of guidance; `null` when there is none. */
export function nextCommand(message: string): string | null {
  return /codex-mcp [^:]+$/.exec(message)?.[0] ?? null;
}

interface Surroundings {
  readonly parts: EnterpriseParts;
  readonly facts: ReadonlyMap<string, ProviderFacts>;
}

function tell(reports: readonly ServerReport[], { parts, facts }: Surroundings): void {
  const { configuration } = parts;
  if (reports.length === 0) print("No enterprise server is configured.");
  const width = Math.max(0, ...reports.map(({ name }) => shown(name).length));
  for (const { name, status, account, until, message, enabled } of reports) {
    const kind = paint(status.kind, status.kind === "ready" ? "good" : "bad");
    const off = enabled ? "" : ", switched off";
    print(`${shown(name).padEnd(width)}  ${kind}${off}${whose(account, until)}`);
    print(`${" ".repeat(width)}  ${visible(message)}`);
  }
  for (const { message } of configuration.warnings) diagnose(`codex-mcp: ${visible(message)}`);
  for (const { detail } of facts.values()) if (detail !== null) diagnose(`codex-mcp: ${visible(detail)}`);
  const told = new Set(configuration.disabled.flatMap(({ faults }) => faults.slice(0, 1)));
  for (const fault of configuration.faults) {
    if (!told.has(fault)) diagnose(`codex-mcp: ${visible(fault.message)}`);
  }
}

function whose(account: AccountFacts | null, until: number | null): string {
  if (account === null) return "";
  const workspace = account.workspace === null ? "" : `, workspace ${shown(account.workspace)}`;
  const end = until === null ? "" : `, until ${new Date(until * 1000).toISOString()}`;
  return `  as ${shown(account.name)}${workspace}${end}`;
}
