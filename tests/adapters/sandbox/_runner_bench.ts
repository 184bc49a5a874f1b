/**
 * Authorities of calls, the launchers that they name, and runners to spend them on.
 *
 * @module
 */

import { test } from "node:test";
import { type RunnerOptions, SandboxRunner } from "../../../adapters/sandbox/runner.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import type { CallTransport, CapturedAuthority } from "../../../core/sandbox/authority.ts";
import type { JsonValue } from "../../../core/json/value.ts";
import type { ProcessPort } from "../../../core/ports/process.ts";
import type { Runtime } from "../../contracts/runtimes.ts";
import { createLauncher, type Launcher, type LauncherOptions } from "../../fixtures/launchers/mod.ts";

/** What a call carries. */
export interface CallOptions {
  /** Type of the permission profile; absent: `managed`. */
  readonly profile?: string;
  /** The value under the launcher's key as it is; absent: none. */
  readonly launcher?: JsonValue | undefined;
  /** Absent: stdio. */
  readonly transport?: CallTransport | undefined;
}

/** The authority of such a call. */
export function authorityOf(options: CallOptions): CapturedAuthority {
  const { profile = "managed", launcher, transport = "stdio" } = options;
  return captureAuthority({
    "codex/sandbox-state": { permissionProfile: { type: profile } },
    ...(launcher === undefined ? {} : { "codex/sandbox-launcher": launcher }),
  }, { transport });
}

/** The authority of a call that names `launcher`. */
export function authorityFor(launcher: Launcher, options: CallOptions = {}): CapturedAuthority {
  return authorityOf({ launcher: { codexExecutable: launcher.executable }, ...options });
}

/** Runs `body` with a launcher and removes it. */
export async function withLauncher(
  options: LauncherOptions,
  body: (launcher: Launcher) => Promise<void>,
): Promise<void> {
  const launcher = await createLauncher(options);
  try {
    await body(launcher);
  } finally {
    await launcher.remove();
  }
}

/** What a case gets: a launcher, and a way to make runners, which are closed after it, and leave no process. */
export type RunnerCase = (
  launcher: Launcher,
  create: (options?: Partial<RunnerOptions>) => SandboxRunner,
) => Promise<void>;

/** Registers a case for a runtime. */
export function testRunner({ name, processes, files }: Runtime, title: string, body: RunnerCase): void {
  test(`${name}: ${title}`, { timeout: 60_000 }, async () => {
    const runners: SandboxRunner[] = [];
    const exits: Promise<unknown>[] = [];
    const create = (
      { processes: port = processes, ...options }: Partial<RunnerOptions> = {},
    ): SandboxRunner => {
      const runner = new SandboxRunner({
        processes: watched(port, exits),
        files,
        environment: { PATH: "/usr/bin:/bin" },
        platform: "linux",
        announce: () => {},
        graceMs: 100,
        ...options,
      });
      runners.push(runner);
      return runner;
    };
    await withLauncher({}, async (launcher) => {
      try {
        await body(launcher, create);
      } finally {
        await Promise.all(runners.map((runner) => runner.close()));
        await Promise.all(exits); // a launcher writes into the folder that goes next
      }
    });
  });
}

/** A port that notes the end of each process. */
function watched(port: ProcessPort, exits: Promise<unknown>[]): ProcessPort {
  return {
    spawn: async (request, options) => {
      const child = await port.spawn(request, options);
      exits.push(child.exited);
      return child;
    },
  };
}
