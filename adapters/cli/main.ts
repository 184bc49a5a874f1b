/**
 * The command line `codex-mcp` on Deno. This file ties the runtime to `command_line.ts` and does nothing else;
 * nothing runs when it is imported.
 *
 * @module
 */

import { createConsole } from "../deno/console.ts";
import { createDisk } from "../deno/disk.ts";
import { createFiles } from "../deno/file.ts";
import { hostPlatform } from "../deno/host_platform.ts";
import { createSendingRuntime } from "../deno/sending.ts";
import { runCommandLine } from "./command_line.ts";
import type { CliRuntime } from "./program/runtime.ts";

export type { DiskFacts, DiskPort } from "../../core/ports/disk.ts";
export type { CliConsole, OutputWatch, StreamName } from "./terminal/console.ts";
export type { SecretStore } from "./program/keyring_secrets.ts";
export type { EndedSignIn, GrantSource, LockedGrants, SignInEnding } from "../http/grants/grant_source.ts";

export type { CliRuntime };

/** This process as the command line sees it. Permissions: `--allow-env` and `--allow-run`. */
export function createRuntime(args: readonly string[]): CliRuntime {
  return {
    args,
    environment: Deno.env.toObject(),
    platform: hostPlatform(),
    processes: {
      spawn: async (request, options) =>
        await (await import("../deno/process.ts")).createProcesses().spawn(request, options),
    },
    files: createFiles(),
    disk: createDisk(),
    console: createConsole(),
    createSandboxRunner: async (policy) =>
      (await import("../deno/sandbox_runner.ts")).createSandboxRunner(policy),
    openSecrets: async () => (await import("../deno/keyring.ts")).openSecrets(),
    createSending: (environment) => createSendingRuntime({ environment }),
    again: (words) => ({
      executable: Deno.execPath(),
      args: ["run", "--quiet", "--allow-all", import.meta.url, ...words],
    }),
    evaluate: (code) => [Deno.execPath(), "eval", "--no-config", code],
  };
}

/**
 * Runs the command line with these words and gives back its exit code.
 *
 * Permissions: all of them.
 */
export async function main(args: readonly string[]): Promise<number> {
  return await runCommandLine(createRuntime(args));
}

if (import.meta.main) Deno.exit(await main(Deno.args));
