/**
 * `codex-mcp doctor`: everything that a sandboxed call, an enterprise sign-in and the configured servers need, tried
 * for real, each with its fix.
 *
 * This file decides the order and what depends on what; the checks are in `doctor/`.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { LoadedHostConfiguration } from "../../configuration/load_configuration.ts";
import { AGAIN, asGiven } from "../doctor/again.ts";
import { connectFinding } from "../doctor/connect.ts";
import type { Finding } from "../doctor/finding.ts";
import { checkMachine } from "../doctor/machine.ts";
import { checkServers } from "../doctor/servers.ts";
import { withHost } from "../host/open_host.ts";
import { projectOf } from "../launcher/project.ts";
import type { Command } from "../program/command.ts";
import { EXIT, UsageError } from "../program/exit_code.ts";
import type { Flags } from "../program/flags.ts";
import { loadOffline } from "../program/load_configuration.ts";
import { onSameFile } from "../program/next_command.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { survey } from "../servers/survey.ts";
import { interruptible } from "../terminal/interruption.ts";
import { shown, visible } from "../terminal/shown.ts";
import { paint, print, printJson, type Tone, withSpinner } from "../terminal/terminal.ts";

const HELP = `codex-mcp doctor [flags] [SERVER...] [flags]

Runs the real path, from host to sandbox, and looks at the configuration, the keyring, the identity providers and the
configured servers. Reports what works: ok, failed (with the fix), or skipped. Writes nothing into the keyring and
sends no secret. With names: at these servers and what they depend on alone.
Exits with 1 when a check failed.

  --connect      connect to the servers, too: starts them, and lists their tools
  --codex PATH   the Codex CLI to check (default: an installed @openai/codex)
  --cwd DIR      the project to check for (default: here)
  --config FILE  this file instead of config.toml in CODEX_HOME: TOML, or the JSON of other hosts (mcpServers)
  --json         print one JSON document: { "ok", "checks": [{ "id", "subject", "status", "code", "found", "fix" }] }
`;

/** The command. */
export const DOCTOR: Command = {
  help: HELP,
  flags: { switches: ["connect"], values: ["codex", "cwd", "config"] },
  mixed: true,
  run: doctor,
};

async function doctor(runtime: CliRuntime, flags: Flags): Promise<number> {
  const findings: Finding[] = [];
  const say = (told: Finding): void => {
    const finding = onFile(told, flags);
    findings.push(finding);
    if (!flags.has("json")) printFinding(finding);
  };
  const names = flags.rest.length === 0 ? null : flags.rest;
  const directory = await projectOf(flags);
  const loaded = await readConfiguration(runtime, flags, { directory });
  if (loaded.kind === "loaded" && names !== null) requireNames(loaded, names);
  if (names === null) await checkMachine(runtime, { flags, workspace: directory, say });
  await interruptible(async (signal) => {
    if (loaded.kind !== "loaded") return say(loaded.finding);
    const check = { directory, names, signal };
    for (const one of await withSpinner("Checking servers", () => checkServers(runtime, loaded, check))) {
      say(one);
    }
    if (!flags.has("connect")) return;
    const broken = new Set(findings.filter((one) => one.status === "failed").map(({ subject }) => subject));
    const meant = serverNames(loaded).filter((name) => names === null || names.includes(name));
    const tried = meant.filter((name) => !broken.has(name));
    const rows = await withSpinner(
      "Connecting",
      () =>
        withHost(
          runtime,
          { flags, directory },
          (host) => survey(host, { signal, names: tried }),
        ),
    );
    // what the configuration switches off or disables was told before
    for (const row of rows) if (row.state !== "disabled") say(connectFinding(row));
    for (const subject of meant) if (broken.has(subject)) say({ ...NOT_TRIED, subject });
  });
  const ok = findings.every(({ status }) => status !== "failed");
  if (flags.has("json")) printJson({ ok, checks: findings });
  return ok ? EXIT.done : EXIT.failed;
}

/** A finding, with the next command on the same file, and as the doctor was started. */
function onFile(finding: Finding, flags: Flags): Finding {
  const { found, fix } = finding;
  return {
    ...finding,
    found: onSameFile(found, flags),
    ...(fix === undefined ? {} : { fix: onSameFile(asGiven(fix, flags), flags) }),
  };
}

const NOT_TRIED = {
  id: "connect",
  status: "skipped",
  found: "not tried: what it needs is not there",
} as const;

type Read = LoadedHostConfiguration | { readonly kind: "unusable"; readonly finding: Finding };

async function readConfiguration(
  runtime: CliRuntime,
  flags: Flags,
  place: { readonly directory: string },
): Promise<Read> {
  try {
    return await loadOffline(runtime, flags, place);
  } catch (error) {
    if (!(error instanceof EnterpriseError)) throw error;
    const { code, message } = error;
    const step = code === "CONFIGURATION_UNAVAILABLE" ? "make it readable, or name another" : "correct it";
    const found = message.replace(/\.$/, "");
    const finding = { id: "configuration", code, found, fix: `${step}, then run: ${AGAIN}` };
    return { kind: "unusable", finding: { ...finding, status: "failed" } };
  }
}

function serverNames({ configuration: { servers, disabled } }: LoadedHostConfiguration): readonly string[] {
  return [...servers, ...disabled].map(({ name }) => name);
}

function requireNames(loaded: LoadedHostConfiguration, names: readonly string[]): void {
  const known = serverNames(loaded);
  const missing = names.find((name) => !known.includes(name));
  if (missing === undefined) return;
  const there = known.length === 0 ? "None is configured." : `There is: ${known.map(shown).join(", ")}.`;
  throw new UsageError(`No server "${shown(missing)}" is configured. ${there}`);
}

const TONES: Readonly<Record<Finding["status"], Tone>> = { ok: "good", failed: "bad", skipped: "quiet" };

/** Characters of the name of a check and whom it is about: `authorization-server` and a server's name. */
const WIDTH = 28;

function printFinding({ id, subject, status, found, fix }: Finding): void {
  const what = subject === undefined ? id : `${id} ${shown(subject)}`;
  print(`${paint(status.padEnd(7), TONES[status])}  ${what.padEnd(WIDTH)}  ${visible(found)}`);
  if (fix !== undefined) print(`${" ".repeat(WIDTH + 11)}fix: ${visible(fix)}`);
}
