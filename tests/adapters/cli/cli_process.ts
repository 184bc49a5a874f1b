/**
 * The command line as a program of its own, and the runtime that its parts are given.
 *
 * @module
 */

import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CliRuntime } from "../../../adapters/cli/program/runtime.ts";
import {
  createFiles,
  createProcesses,
  createSandboxRunner,
  createSendingRuntime,
} from "../../../adapters/deno/mod.ts";
import { runProcess } from "../../../adapters/sandbox/run.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const MAIN = [
  "run",
  "--quiet",
  "--allow-all",
  "--config",
  join(ROOT, "deno.json"),
  join(ROOT, "adapters/cli/main.ts"),
];

/** How the program is started. */
export interface CliOptions {
  /** Variables besides this process's own; `undefined` takes one away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Working directory; absent: the system's temporary folder. */
  readonly directory?: string;
  /** Standard input; absent: closed. */
  readonly stdin?: string;
  /** Told of each chunk of output. */
  readonly onOutput?: (text: string) => void;
  /** Sends SIGTERM to the program's group. */
  readonly signal?: AbortSignal;
}

/** How it ended. */
export interface CliOutcome {
  /** Exit code; `null` after a signal. */
  readonly exitCode: number | null;
  /** Standard output. */
  readonly stdout: string;
  /** Standard error. */
  readonly stderr: string;
}

/** Runs `codex-mcp` with `args`. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliOutcome> {
  const { stdin, onOutput, signal } = options;
  const outcome = await runProcess(createProcesses(), {
    executable: Deno.execPath(),
    args: [...MAIN, ...args],
  }, {
    environment: environmentOf(options.environment),
    directory: options.directory ?? tmpdir(),
    maxOutputBytes: 1 << 24,
    timeoutMs: 120_000,
    graceMs: 20_000,
    ...(stdin === undefined ? {} : { stdin: new TextEncoder().encode(stdin) }),
    ...(onOutput === undefined ? {} : { onOutput: (_, chunk) => onOutput(new TextDecoder().decode(chunk)) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const { exitCode, stdout, stderr } = outcome;
  return { exitCode, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

/** A runtime as `adapters/cli/main.ts` makes it, with other words and variables. */
export function runtimeOf(options: Partial<CliRuntime> = {}): CliRuntime {
  return {
    args: [],
    environment: environmentOf({}),
    platform: "linux",
    processes: createProcesses(),
    files: createFiles(),
    createSandboxRunner: (policy) => Promise.resolve(createSandboxRunner(policy)),
    openSecrets: () => Promise.reject(new Error("This test opens no keyring")),
    createSending: (environment) => createSendingRuntime({ environment }),
    again: (words) => ({ executable: Deno.execPath(), args: [...MAIN, ...words] }),
    evaluate: (code) => [Deno.execPath(), "eval", "--no-config", code],
    ...options,
  };
}

/** Runs `body` in new folders of these names, under one that is removed after it. */
export async function withFolders(
  names: readonly string[],
  body: (...folders: readonly string[]) => Promise<void>,
): Promise<void> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "codex-mcp-cli-")));
  try {
    const folders = names.map((name) => join(base, name));
    for (const folder of folders) {
      await mkdir(dirname(folder), { recursive: true });
      await mkdir(folder);
    }
    await body(...folders);
  } finally {
    await removeFolder(base);
  }
}

function environmentOf(changes: CliOptions["environment"] = {}): Readonly<Record<string, string>> {
  const wanted: Readonly<Record<string, string | undefined>> = {
    ...Deno.env.toObject(),
    CODEX_HOME: undefined,
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
