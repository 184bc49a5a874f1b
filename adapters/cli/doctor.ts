/**
 * `codex-mcp doctor`: everything that a sandboxed call needs, tried for real, each with its fix.
 *
 * This file decides the order and what depends on what; the checks are in `doctor/`.
 *
 * @module
 */

import type { Command } from "./command_line.ts";
import { chooseLauncher } from "./choose_launcher.ts";
import { checkArgumentLimit, checkEnvironment } from "./doctor/host.ts";
import type { Check, Finding } from "./doctor/finding.ts";
import { openTrial, type SandboxTrial } from "./trial.ts";
import { checkLauncherPlace, checkNetwork, checkSetup, checkWriteDenied } from "./doctor/sandbox.ts";
import { EXIT, UsageError } from "./exit_code.ts";
import type { Flags } from "./flags.ts";
import { projectOf } from "./project.ts";
import type { CliRuntime } from "./runtime.ts";
import { paint, print, printJson, type Tone, withSpinner } from "./terminal.ts";

const HELP = `codex-mcp doctor [flags]

Runs the real path, from host to sandbox, and reports what works: ok, failed (with the fix), or skipped.
Exits with 1 when a check failed.

  --codex PATH   the Codex CLI to check (default: an installed @openai/codex)
  --cwd DIR      the project to check for (default: here)
  --json         print one JSON document: { "ok", "checks": [{ "id", "status", "found", "fix" }] }
`;

/** The command. */
export const DOCTOR: Command = { help: HELP, flags: { values: ["codex", "cwd"] }, run: doctor };

async function doctor(runtime: CliRuntime, flags: Flags): Promise<number> {
  if (flags.rest.length > 0) throw new UsageError("doctor takes flags alone.");
  const findings: Finding[] = [];
  const say = (finding: Finding): void => {
    findings.push(finding);
    if (!flags.has("json")) printFinding(finding);
  };
  await examine(runtime, flags, say);
  const ok = findings.every(({ status }) => status !== "failed");
  if (flags.has("json")) printJson({ ok, checks: findings });
  return ok ? EXIT.done : EXIT.failed;
}

async function examine(runtime: CliRuntime, flags: Flags, say: (finding: Finding) => void): Promise<void> {
  const workspace = await projectOf(flags);
  const choice = await withSpinner(
    "Looking for a Codex CLI",
    () => chooseLauncher(runtime, { named: flags.value("codex"), workspace, writableRoots: [workspace] }),
  );
  say(
    choice.executable === undefined
      ? { id: "launcher", status: "failed", found: choice.reasons.join(" "), fix: INSTALL }
      : { id: "launcher", status: "ok", found: `${choice.executable} answers as a Codex CLI` },
  );
  say(await checkEnvironment(runtime, workspace));
  say(await checkArgumentLimit(runtime));
  if (choice.executable === undefined) {
    for (const id of SANDBOX_CHECKS.keys()) say({ id, status: "skipped", found: "needs a launcher" });
    return;
  }
  const trial = await openTrial(runtime, choice.executable);
  try {
    let broken = false;
    for (const [id, check] of SANDBOX_CHECKS) {
      const finding: Finding = broken
        ? { id, status: "skipped", found: "needs a sandbox" }
        : await withSpinner(`Checking ${id}`, () => check(trial));
      broken ||= id === "sandbox" && finding.status === "failed";
      say(finding);
    }
  } finally {
    await trial.close();
  }
}

const INSTALL = "npm install --global @openai/codex, or name one with --codex";

const SANDBOX_CHECKS: ReadonlyMap<string, Check<SandboxTrial>> = new Map([
  ["sandbox", checkSetup],
  ["write-denied", checkWriteDenied],
  ["network-closed", checkNetwork],
  ["launcher-safe", checkLauncherPlace],
]);

const TONES: Readonly<Record<Finding["status"], Tone>> = { ok: "good", failed: "bad", skipped: "quiet" };

function printFinding({ id, status, found, fix }: Finding): void {
  print(`${paint(status.padEnd(7), TONES[status])}  ${id.padEnd(15)}  ${found}`);
  if (fix !== undefined) print(`${" ".repeat(26)}fix: ${fix}`);
}
