/**
 * The place where the doctor and the demonstration try things: a server, a connection, and a workspace of its own
 * that is not under the system's temporary folder, which a workspace policy makes writable.
 *
 * @module
 */

import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SandboxMode } from "../../../core/sandbox/presets.ts";
import { readPolicy } from "../launcher/policy.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { type ExecOutcome, openExecHost } from "./exec_host.ts";

/** A chain that works on a workspace. */
export interface SandboxTrial {
  /** The runtime it was made with. */
  readonly runtime: CliRuntime;
  /** The launcher in use. */
  readonly launcher: string;
  /** The workspace, which is empty at first. */
  readonly workspace: string;
  /** A folder beside the workspace, which no policy here makes writable. */
  readonly outside: string;
  /** Runs a command through the whole chain, in the workspace, for a minute at most. */
  run(mode: SandboxMode, command: readonly string[], options?: TrialOptions): Promise<ExecOutcome>;
  /** Ends the server and removes the folders. */
  close(): Promise<void>;
}

/** What a run of a trial leaves out. */
export interface TrialOptions {
  /** Keeps the launcher back, as a host does that may not send one. */
  readonly withholdLauncher?: boolean;
}

/** Makes the folders, starts the server. Closing it ends and removes both. */
export async function openTrial(runtime: CliRuntime, launcher: string): Promise<SandboxTrial> {
  const base = join(runtime.environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "codex-mcp");
  await mkdir(base, { recursive: true });
  const folder = await realpath(await mkdtemp(join(base, "trial-")));
  const workspace = join(folder, "workspace");
  const outside = join(folder, "outside");
  try {
    await mkdir(workspace);
    await mkdir(outside);
    const host = await openExecHost(runtime);
    return {
      runtime,
      launcher,
      workspace,
      outside,
      run: async (mode, command, options = {}) => {
        const { platform } = runtime;
        const { stateText } = await readPolicy(mode, { directory: workspace, codex: launcher, platform });
        return await host.exec({
          arguments: { command, timeoutMs: 60_000 },
          stateText,
          launcher: options.withholdLauncher ? undefined : launcher,
        });
      },
      close: async () => {
        await host.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
