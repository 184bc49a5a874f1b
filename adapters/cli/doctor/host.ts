/**
 * Checks of the machine and the environment, without a sandbox.
 *
 * @module
 */

import { isEnvironmentHook, launcherEnvironment } from "../../../core/sandbox/environment.ts";
import { LINUX_ARGUMENT_BYTES } from "../../../core/sandbox/limits.ts";
import { runProcess } from "../../sandbox/run.ts";
import { codexHome, isCodexHomeWritable } from "../launcher/codex_home.ts";
import type { CliRuntime } from "../program/runtime.ts";
import type { Finding } from "./finding.ts";

/** What of this environment reaches a launcher, and whether a project could change what it does. */
export async function checkEnvironment(runtime: CliRuntime, workspace: string): Promise<Finding> {
  const { environment, platform } = runtime;
  const id = "environment";
  const home = await codexHome(runtime);
  if (await isCodexHomeWritable(runtime, { workspace, roots: [workspace] })) {
    return {
      id,
      status: "failed",
      found:
        `Codex's home (${home}) lies in the project, whose files then decide what runs outside the sandbox`,
      fix: "move it out of the project, by CODEX_HOME or HOME",
    };
  }
  const passed = Object.keys(launcherEnvironment(environment, { platform })).sort();
  const hooks = Object.keys(environment).filter(isEnvironmentHook).sort();
  const dropped = hooks.length === 0 ? "" : `; dropped as hooks: ${hooks.join(", ")}`;
  return { id, status: "ok", found: `a launcher gets ${passed.join(", ") || "nothing"}${dropped}` };
}

/** Whether this system takes an argument as long as a policy may be here. */
export async function checkArgumentLimit(runtime: CliRuntime): Promise<Finding> {
  const id = "argument-limit";
  if (runtime.platform !== "linux") {
    return { id, status: "skipped", found: "measured on Linux alone; elsewhere the documented limits hold" };
  }
  const takes = async (bytes: number): Promise<boolean> => {
    const request = { executable: "/bin/sh", args: ["-c", ":", "sh", "x".repeat(bytes)] };
    const options = { environment: {}, maxOutputBytes: 0, timeoutMs: 10_000 };
    return await runProcess(runtime.processes, request, options).then(
      ({ exitCode }) => exitCode === 0,
      () => false,
    );
  };
  const [fits, over] = [await takes(LINUX_ARGUMENT_BYTES), await takes(LINUX_ARGUMENT_BYTES + 1)];
  if (fits) {
    const more = over ? "more than" : "exactly";
    return { id, status: "ok", found: `a policy may have ${more} ${LINUX_ARGUMENT_BYTES} bytes here` };
  }
  return {
    id,
    status: "failed",
    found: `this system refuses an argument of ${LINUX_ARGUMENT_BYTES} bytes`,
    fix: "keep policies shorter: fewer writable roots and entries",
  };
}
