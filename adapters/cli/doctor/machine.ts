/**
 * What the doctor looks at on this machine: the launcher, the environment, and the sandbox itself, by running commands
 * in it.
 *
 * This file decides the order and what depends on what.
 *
 * @module
 */

import { openTrial, type SandboxTrial } from "../exec/trial.ts";
import { chooseLauncher } from "../launcher/choose_launcher.ts";
import type { Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { withSpinner } from "../terminal/terminal.ts";
import type { Check, Finding } from "./finding.ts";
import { checkArgumentLimit, checkEnvironment } from "./host.ts";
import { checkLauncherPlace, checkNetwork, checkSetup, checkWriteDenied } from "./sandbox.ts";

/** What is looked at, and who is told. */
export interface MachineCheck {
  /** `--codex`. */
  readonly flags: Pick<Flags, "value">;
  /** Real path of the project. */
  readonly workspace: string;
  /** Is told each finding as soon as it is there. */
  readonly say: (finding: Finding) => void;
}

const INSTALL = "npm install --global @openai/codex, or name one with --codex";

const SANDBOX_CHECKS: ReadonlyMap<string, Check<SandboxTrial>> = new Map([
  ["sandbox", checkSetup],
  ["write-denied", checkWriteDenied],
  ["network-closed", checkNetwork],
  ["launcher-safe", checkLauncherPlace],
]);

/** Looks at the machine. */
export async function checkMachine(
  runtime: CliRuntime,
  { flags, workspace, say }: MachineCheck,
): Promise<void> {
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
