/**
 * The sandbox of `codex-mcp status`: whether an installed Codex CLI can be the launcher here. It is run to find out
 * whether it is one; nothing is run in a sandbox. That there is none is no fault, unless one was named: only calls of
 * servers that ask for the policy need one.
 *
 * @module
 */

import { chooseLauncher } from "../launcher/choose_launcher.ts";
import { projectOf } from "../launcher/project.ts";
import { EXIT } from "../program/exit_code.ts";
import type { Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";

/** Where the sandbox stands. */
export interface SandboxStanding {
  /** Real path of the Codex CLI that would be the launcher here; `null`: none can be. */
  readonly launcher: string | null;
  /** What that means and what to do. */
  readonly message: string;
  /** The next command; `null`: none. */
  readonly next: string | null;
  /** Exit code: 3 where one was named that cannot be used, else 0. */
  readonly exitCode: number;
}

/** Looks for a launcher. */
export async function sandboxStanding(runtime: CliRuntime, flags: Flags): Promise<SandboxStanding> {
  const workspace = await projectOf(flags, runtime.disk);
  const named = flags.value("codex");
  const choice = await chooseLauncher(runtime, { named, workspace, writableRoots: [workspace] });
  if (choice.executable !== undefined) {
    const message = `${choice.executable} answers as a Codex CLI.`;
    return { launcher: choice.executable, message, next: null, exitCode: EXIT.done };
  }
  const next = "codex-mcp doctor";
  return {
    launcher: null,
    message: `${choice.reasons.map(ended).join(" ")} Look with: ${next}`,
    next,
    exitCode: named === undefined ? EXIT.done : EXIT.refused,
  };
}

/** With a full stop, which a sentence that ends in a command has none of. */
function ended(sentence: string): string {
  return sentence.endsWith(".") ? sentence : `${sentence}.`;
}
