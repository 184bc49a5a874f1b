/**
 * Finds a Node of each wanted major version: the one on `PATH` where it fits, else one from npm, kept in a cache
 * folder of the user.
 *
 * @module
 */

import { run } from "../command.ts";

/** One Node. */
export interface NodeBinary {
  /** Its version, such as `v22.11.0`. */
  readonly version: string;
  /** Path or name of the program. */
  readonly program: string;
}

/** Finds or installs Node `major`. */
export async function findNode(major: string): Promise<NodeBinary> {
  const installed = await versionOf("node");
  if (installed?.startsWith(`v${major}.`)) return { version: installed, program: "node" };
  const folder = `${cacheFolder()}/node-${major}`;
  const name = packageName();
  const program = `${folder}/node_modules/${name}/bin/${Deno.build.os === "windows" ? "node.exe" : "node"}`;
  const cached = await versionOf(program);
  if (cached !== null) return { version: cached, program };
  await install(folder, `${name}@${major}`);
  const version = await versionOf(program);
  if (version === null) throw new Error(`Cannot run Node ${major} "${program}": it does not start`);
  return { version, program };
}

/** The npm package that holds Node for this machine. */
function packageName(): string {
  const system = Deno.build.os === "windows" ? "win" : Deno.build.os;
  return `node-${system}-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;
}

function cacheFolder(): string {
  const base = Deno.env.get("XDG_CACHE_HOME") ??
    `${Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE")}/.cache`;
  return `${base}/codex-mcp-runtime`;
}

async function versionOf(program: string): Promise<string | null> {
  try {
    const result = await run(program, ["--version"], { directory: Deno.cwd() });
    return result.code === 0 ? result.stdout.trim() : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return null;
    throw error;
  }
}

/** Installs beside the place and moves it in, so that a broken install leaves nothing behind. */
async function install(folder: string, specifier: string): Promise<void> {
  await Deno.mkdir(cacheFolder(), { recursive: true });
  const staging = await Deno.makeTempDir({ dir: cacheFolder(), prefix: "install-" });
  const npm = Deno.build.os === "windows" ? "npm.cmd" : "npm";
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", staging, specifier];
  const result = await run(npm, args, { directory: staging });
  if (result.code !== 0) throw new Error(`Cannot install "${specifier}": ${result.output.trim()}`);
  await Deno.remove(folder, { recursive: true }).catch(ignoreMissing);
  await Deno.rename(staging, folder);
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
