/**
 * The sandbox runner on Node: `adapters/sandbox/runner.ts` with this runtime's ports, environment and platform.
 *
 * @module
 */

import process from "node:process";
import { type RunnerPolicy, SandboxRunner } from "../sandbox/runner.ts";
import { createFiles } from "./file.ts";
import { hostPlatform } from "./host_platform.ts";
import { createProcesses } from "./process.ts";

/**
 * Creates a runner for a server on Node. The environment is read now; the operator's opt-out, if given, is
 * announced now, on standard error.
 *
 * @throws {SandboxError} `COMMAND_INVALID` when a readable root is not an absolute path.
 */
export function createSandboxRunner(policy: RunnerPolicy = {}): SandboxRunner {
  return new SandboxRunner({
    ...policy,
    processes: createProcesses({ namedPipes: true }),
    files: createFiles(),
    environment: process.env,
    platform: hostPlatform(),
    announce: (line) => console.error(line),
  });
}
