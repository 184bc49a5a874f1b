/**
 * The Codex CLI that the demonstration and the examples sandbox with: an installed one, else the one of
 * `toolchain.json`, which is fetched.
 *
 * @module
 */

import { chooseLauncher, type LauncherChoice } from "../adapters/cli/launcher/choose_launcher.ts";
import type { CliRuntime } from "../adapters/cli/program/runtime.ts";
import { withSpinner } from "../adapters/cli/terminal/terminal.ts";
import toolchain from "./toolchain.json" with { type: "json" };

/** Its real path, or every reason why none may be a launcher. */
export async function findCodex(runtime: CliRuntime): Promise<LauncherChoice> {
  const search = { workspace: Deno.cwd(), writableRoots: ["/tmp"] };
  const installed = await chooseLauncher(runtime, search);
  if (installed.executable !== undefined) return installed;
  await withSpinner("Fetching a Codex CLI from npm (about 420 MB unpacked)", fetchCodex);
  return await chooseLauncher(runtime, search);
}

async function fetchCodex(): Promise<void> {
  const args = ["cache", "--quiet", "--no-config", `npm:@openai/codex@${toolchain.codex}`];
  const { success } = await new Deno.Command(Deno.execPath(), { args, stdout: "inherit", stderr: "inherit" })
    .output();
  if (!success) throw new Error("Cannot fetch the Codex CLI from npm");
}
