/**
 * Choosing the launcher for the calls of this host: the first Codex CLI that may be one, or every reason why none
 * may.
 *
 * @module
 */

import type { DiskPort } from "../../../core/ports/disk.ts";
import { launcherEnvironment } from "../../../core/sandbox/environment.ts";
import { type LauncherFacts, launcherFor } from "../../../core/sandbox/launcher.ts";
import { resolvePath } from "../../../core/sandbox/resolve_path.ts";
import { DISK } from "../../disk.ts";
import type { LauncherProbe } from "../../sandbox/probe.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { executablesBehind, installedCodex } from "./codex_cli.ts";

/** What the choice depends on. */
export interface LauncherSearch {
  /** What `--codex` names; absent: the installed ones are tried. */
  readonly named?: string | undefined;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** What the policy lets a command write to. */
  readonly writableRoots: readonly string[];
  /** Ends the search, and a probe that runs. */
  readonly signal?: AbortSignal | undefined;
}

/** The launcher's real path, or why there is none, a sentence a candidate. */
export type LauncherChoice =
  | { readonly executable: string; readonly reasons?: never }
  | { readonly executable?: never; readonly reasons: readonly string[] };

/**
 * Chooses a launcher. Each candidate is resolved to its real path and probed before it is chosen; where there is none,
 * nothing that probes is loaded.
 */
export async function chooseLauncher(runtime: CliRuntime, search: LauncherSearch): Promise<LauncherChoice> {
  const { environment, platform, processes, files, disk = DISK } = runtime;
  const candidates = search.named === undefined
    ? await installedCodex({ environment, platform, disk })
    : await namedCodex(search.named, disk);
  if (candidates.length === 0) return { reasons: [nobody(runtime, search)] };
  const { ProcessGuard } = await import("../../sandbox/guard.ts");
  const { LauncherProbe } = await import("../../sandbox/probe.ts");
  const guard = new ProcessGuard(processes);
  const probe = new LauncherProbe({
    processes,
    files,
    environment: launcherEnvironment(environment, { platform }),
    guard,
    signal: search.signal,
  });
  try {
    return await firstUsable(runtime, { search, candidates, probe });
  } finally {
    await guard.close();
  }
}

async function firstUsable(
  { platform, files }: CliRuntime,
  { search, candidates, probe }: {
    readonly search: LauncherSearch;
    readonly candidates: readonly string[];
    readonly probe: LauncherProbe;
  },
): Promise<LauncherChoice> {
  const facts = placeFacts({ platform }, search);
  const reasons: string[] = [];
  for (const candidate of candidates) {
    search.signal?.throwIfAborted();
    const executable = (await files.identify(candidate))?.realPath;
    if (executable === undefined) {
      reasons.push(`The launcher ${JSON.stringify(candidate)} does not exist or cannot be looked at.`);
      continue;
    }
    // what may not be a launcher is not run to find out whether it could be
    const place = launcherFor({ ...facts, executable, probe: true });
    const verdict = place.launcher === undefined ? undefined : await probe.inspect(executable);
    if (verdict?.identity !== undefined) return { executable };
    reasons.push(place.message ?? `The launcher ${JSON.stringify(executable)} ${verdict?.flaw}.`);
  }
  return { reasons };
}

type Place = Pick<LauncherSearch, "workspace" | "writableRoots">;

/** The sentence about a machine without a Codex CLI. */
function nobody(runtime: Pick<CliRuntime, "platform">, search: Place): string {
  const { message } = launcherFor({ ...placeFacts(runtime, search), probe: false });
  return message ?? "No Codex CLI is known.";
}

function placeFacts(
  { platform }: Pick<CliRuntime, "platform">,
  { workspace, writableRoots }: Place,
): Omit<LauncherFacts, "executable" | "probe"> {
  return { transport: "stdio", environment: "local", workspace, writableRoots, platform };
}

/** What npm put on `PATH` stands for the executable behind it, which can be its own sandbox helper as well. */
async function namedCodex(name: string, disk: DiskPort): Promise<readonly string[]> {
  const path = resolvePath(name, { directory: disk.directory(), platform: disk.platform });
  const behind = await disk.realPath(path).then((real) => executablesBehind(real, disk), () => []);
  return behind.length > 0 ? behind : [path];
}
