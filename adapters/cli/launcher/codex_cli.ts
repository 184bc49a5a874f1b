/**
 * Finding an installed Codex CLI. Looking around for one is a host's right; a server runs the launcher that a call
 * brings and nothing else.
 *
 * npm and Deno install a script that starts the real executable; the sandbox needs the executable itself, which
 * lies in the platform's own package, under `vendor/<triple>/bin`.
 *
 * @module
 */

import type { DiskPort } from "../../../core/ports/disk.ts";
import { isAbsolutePath, type Platform } from "../../../core/sandbox/path.ts";
import { folderOf, joinPath } from "../../../core/sandbox/resolve_path.ts";
import { DISK } from "../../disk.ts";

/** Where to look. */
export interface CodexSearch {
  /** This process's environment: `PATH`, and where Deno keeps npm packages. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whose file names these are. */
  readonly platform: Platform;
  /** Where they are looked for; absent: the disk as Node's functions see it. */
  readonly disk?: DiskPort | undefined;
}

/**
 * Real paths of the Codex executables that are installed, best first: the ones on `PATH`, then the ones that Deno
 * has unpacked, newest first. Relative entries of `PATH` and
 * relative places of the cache are passed over.
 */
export async function installedCodex(search: CodexSearch): Promise<readonly string[]> {
  const found = await Promise.all([onPath(search), inDenoCache(search)]);
  return [...new Set(found.flat())];
}

/**
 * Real paths of the executables behind the real path of a program: the program itself, unless it is a script of npm,
 * whose executables lie in the packages beside it. None when such a script stands alone.
 */
export async function executablesBehind(path: string, disk: DiskPort = DISK): Promise<readonly string[]> {
  if (!/\.(js|cmd)$/.test(path)) return [path];
  // <prefix>/lib/node_modules/@openai/codex/bin/codex.js; the shim of Windows lies beside node_modules
  const scope = path.endsWith(".js")
    ? folderOf(folderOf(folderOf(path, disk), disk), disk)
    : joinPath(folderOf(path, disk), "node_modules/@openai", disk);
  return [
    ...await executablesIn(scope, disk),
    ...await executablesIn(joinPath(scope, "codex/node_modules/@openai", disk), disk),
  ];
}

async function onPath({ environment, platform, disk = DISK }: CodexSearch): Promise<readonly string[]> {
  const windows = platform === "windows";
  const folders = (environment["PATH"] ?? "").split(windows ? ";" : ":").filter((folder) =>
    isAbsolutePath(folder, disk.platform)
  );
  const names = windows ? ["codex.exe", "codex.cmd"] : ["codex"];
  const paths = folders.flatMap((folder) => names.map((name) => joinPath(folder, name, disk)));
  const found = await Promise.all(paths.map(async (path) => {
    const real = await disk.realPath(path).catch(() => null);
    return real === null ? [] : await executablesBehind(real, disk);
  }));
  return found.flat();
}

async function inDenoCache(search: CodexSearch): Promise<readonly string[]> {
  const { disk = DISK } = search;
  const cache = denoCache(search, disk);
  if (!isAbsolutePath(cache, disk.platform)) return [];
  const registries = joinPath(cache, "npm", disk);
  const found: string[] = [];
  for (const registry of await list(registries, disk)) {
    const versions = joinPath(registries, `${registry}/@openai/codex`, disk);
    for (const version of (await list(versions, disk)).toSorted(byVersion).toReversed()) {
      found.push(...await executablesOf(joinPath(versions, version, disk), disk));
    }
  }
  return found;
}

function denoCache({ environment, platform }: CodexSearch, disk: DiskPort): string {
  const { DENO_DIR, XDG_CACHE_HOME, HOME = "", LOCALAPPDATA = "" } = environment;
  if (DENO_DIR) return DENO_DIR;
  if (platform === "windows") return joinPath(LOCALAPPDATA, "deno", disk);
  if (platform === "darwin") return joinPath(HOME, "Library/Caches/deno", disk);
  return joinPath(XDG_CACHE_HOME || joinPath(HOME, ".cache", disk), "deno", disk);
}

/** Executables of the platform packages in an `@openai` folder. */
async function executablesIn(scope: string, disk: DiskPort): Promise<readonly string[]> {
  const packages = (await list(scope, disk)).filter((name) => name.startsWith("codex-"));
  return (await Promise.all(packages.map((name) => executablesOf(joinPath(scope, name, disk), disk)))).flat();
}

/** Executables of one platform package that are made for this machine. */
async function executablesOf(packageFolder: string, disk: DiskPort): Promise<readonly string[]> {
  const vendor = joinPath(packageFolder, "vendor", disk);
  const name = disk.platform === "windows" ? "codex.exe" : "codex";
  const triples = (await list(vendor, disk)).filter((triple) =>
    triple.startsWith(globalThis.process.arch === "arm64" ? "aarch64" : "x86_64")
  );
  const paths = triples.map((triple) =>
    disk.realPath(joinPath(vendor, `${triple}/bin/${name}`, disk)).catch(() => null)
  );
  return (await Promise.all(paths)).filter((path) => path !== null);
}

async function list(folder: string, disk: DiskPort): Promise<readonly string[]> {
  return await disk.list(folder).catch(() => []);
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
