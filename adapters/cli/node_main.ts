/**
 * The command line `codex-mcp` on Node. This file ties the runtime to `command_line.ts` and does nothing else;
 * nothing runs when it is imported. `main.ts` is the same for Deno, `node_program.ts` the program that runs it.
 *
 * @module
 */

import process from "node:process";
import { fileURLToPath } from "node:url";
import { createFiles } from "../node/file.ts";
import { hostPlatform } from "../node/host_platform.ts";
import { createSendingRuntime } from "../node/sending.ts";
import { runCommandLine } from "./command_line.ts";
import type { CliRuntime } from "./program/runtime.ts";

export type { DiskFacts, DiskPort } from "../../core/ports/disk.ts";
export type { CliConsole, OutputWatch, StreamName } from "./terminal/console.ts";
export type { SecretStore } from "./program/keyring_secrets.ts";
export type { EndedSignIn, GrantSource, LockedGrants, SignInEnding } from "../http/grants/grant_source.ts";

export type { CliRuntime };

/** This process as the command line sees it. */
export function createRuntime(args: readonly string[]): CliRuntime {
  return {
    program: process.argv[1],
    args,
    environment: environment(),
    platform: hostPlatform(),
    processes: {
      spawn: async (request, options) =>
        await (await import("../node/process.ts")).createProcesses().spawn(request, options),
    },
    files: createFiles(),
    createSandboxRunner: async (policy) =>
      (await import("../node/sandbox_runner.ts")).createSandboxRunner(policy),
    openSecrets: async () => (await import("../node/keyring.ts")).openSecrets(),
    createSending: (variables) => createSendingRuntime({ environment: variables }),
    again: (words) => ({ executable: process.execPath, args: [program(), ...words] }),
    evaluate: (code) => [process.execPath, "--input-type=module", "--eval", code],
  };
}

/** Runs the command line with these words and gives back its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  return await runCommandLine(createRuntime(args));
}

function environment(): Readonly<Record<string, string>> {
  const set = (entry: readonly [string, string | undefined]): entry is [string, string] =>
    entry[1] !== undefined;
  return Object.fromEntries(Object.entries(process.env).filter(set));
}

/** The program beside this file, which has another extension once it is built. */
function program(): string {
  return fileURLToPath(import.meta.url).replace(/node_main(\.\w+)$/, "node_program$1");
}
