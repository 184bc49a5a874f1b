/**
 * Spending authority: from a captured authority and a command to the one argument vector that runs it in its
 * sandbox. Nothing is started here; `adapters/sandbox/runner.ts` does.
 *
 * @module
 */

import { quote, SandboxError } from "../errors.ts";
import type { SpawnRequest } from "../ports/process.ts";
import type { CapturedAuthority } from "./authority.ts";
import { inDirectory } from "./directory_script.ts";
import { launcherExecutable, launcherFlaw } from "./launcher.ts";
import { requireFits } from "./limits.ts";
import { type ModifierOptions, sandboxModifiers } from "./modifiers.ts";
import type { Platform } from "./path.ts";

/** How a command is to be run. */
export interface PlanOptions extends ModifierOptions {
  /** Whose path syntax and size limits apply; `"linux"` when absent. */
  readonly platform?: Platform | undefined;
  /**
   * Directory to change to inside the sandbox, absolute or relative to the state's own. The state stays as it
   * is, so this never widens anything. Absent: the state's directory.
   */
  readonly directory?: string | undefined;
}

/**
 * Plans a command under an authority: `<launcher> sandbox --sandbox-state-json <state> …modifiers -- …command`.
 *
 * The state is one argument, unchanged. Only the call's own launcher is used. No shell reads the vector. With a
 * `directory` the command is wrapped in a constant `/bin/sh` script that gets every value as a positional.
 * Checked in this order: launcher, command and directory, modifiers, sizes.
 *
 * @throws {SandboxError} `LAUNCHER_MISSING` when the call brought none.
 * @throws {SandboxError} `LAUNCHER_INVALID` when it came over anything but stdio, or is no absolute path of an
 * executable file's kind.
 * @throws {SandboxError} `COMMAND_INVALID` when the command is empty, or it, the directory or a readable root
 * cannot be passed on as it is.
 * @throws {SandboxError} `STATE_TOO_LARGE` when the state does not fit into the platform's arguments.
 *
 * @example
 * ```ts
 * import { captureAuthority, planSandboxedCommand } from "@codex-mcp/runtime";
 *
 * const authority = captureAuthority({
 *   "codex/sandbox-state": { permissionProfile: { type: "disabled" } },
 *   "codex/sandbox-launcher": { codexExecutable: "/opt/codex/bin/codex" },
 * }, { transport: "stdio" });
 * const { executable, args } = planSandboxedCommand(authority, ["make", "test"]);
 * console.log(executable, args.at(-3), args.at(-2)); // /opt/codex/bin/codex -- make
 * ```
 */
export function planSandboxedCommand(
  authority: CapturedAuthority,
  command: readonly string[],
  options: PlanOptions = {},
): SpawnRequest {
  const { platform = "linux", directory } = options;
  const executable = requireLauncher(authority, platform);
  const inner = directory === undefined ? command : inDirectory(command, { directory, platform });
  const modifiers = sandboxModifiers(options, platform);
  const { stateText } = authority;
  const args = ["sandbox", "--sandbox-state-json", stateText, ...modifiers, "--", ...inner];
  requireFits({ executable, args, command: inner, stateText, platform });
  return { executable, args };
}

/** The path of the call's launcher, if that may be run. */
function requireLauncher(authority: CapturedAuthority, platform: Platform): string {
  const { launcherText, transport } = authority;
  if (launcherText === undefined) {
    throw new SandboxError(
      "LAUNCHER_MISSING",
      "Cannot run anything for this call: it carries a sandbox state and no launcher; nothing was run. " +
        "A host sends codex/sandbox-launcher to a local stdio server only.",
    );
  }
  if (transport !== "stdio") {
    throw new SandboxError(
      "LAUNCHER_INVALID",
      "Cannot use the launcher of this call: it did not arrive over the server's own stdio; nothing was run.",
    );
  }
  const executable = launcherExecutable(JSON.parse(launcherText));
  const flaw = executable === null
    ? "is not an object with a codexExecutable"
    : launcherFlaw(executable, platform);
  if (executable === null || flaw !== null) {
    const name = executable === null ? "" : ` ${quote(executable)}`;
    throw new SandboxError(
      "LAUNCHER_INVALID",
      `Cannot use the launcher${name} of this call: it ${flaw}; nothing was run.`,
    );
  }
  return executable;
}
