/**
 * Finding an installed Codex CLI. Looking around for one is a host's right; a server runs the launcher that a call
 * brings and nothing else.
 *
 * npm and Deno install a script that starts the real executable; the sandbox needs the executable itself, which
 * lies in the platform's own package, under `vendor/<triple>/bin`.
 *
 * @module
 */

import { readdir, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import process from "node:process";
import type { Platform } from "../../../core/sandbox/path.ts";

/** Where to look. */
export interface CodexSearch {
  /** This process's environment: `PATH`, and where Deno keeps npm packages. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whose file names these are. */
  readonly platform: Platform;
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
export async function executablesBehind(path: string): Promise<readonly string[]> {
  if (!/\.(js|cmd)$/.test(path)) return [path];
  // <prefix>/lib/node_modules/@openai/codex/bin/codex.js; the shim of Windows lies beside node_modules
  const scope = path.endsWith(".js")
    ? dirname(dirname(dirname(path)))
    : join(dirname(path), "node_modules", "@openai");
  return [
    ...await executablesIn(scope),
    ...await executablesIn(join(scope, "codex", "node_modules", "@openai")),
  ];
}

async function onPath({ environment, platform }: CodexSearch): Promise<readonly string[]> {
  const windows = platform === "windows";
  const folders = (environment["PATH"] ?? "").split(windows ? ";" : ":").filter((folder) =>
    isAbsolute(folder)
  );
  const names = windows ? ["codex.exe", "codex.cmd"] : ["codex"];
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const found = await Promise.all(paths.map(async (path) => {
    const real = await realpath(path).catch(() => null);
    return real === null ? [] : await executablesBehind(real);
  }));
  return found.flat();
}

async function inDenoCache({ environment, platform }: CodexSearch): Promise<readonly string[]> {
  const cache = denoCache(environment, platform);
  if (!isAbsolute(cache)) return [];
  const registries = join(cache, "npm");
  const found: string[] = [];
  for (const registry of await list(registries)) {
    const versions = join(registries, registry, "@openai", "codex");
    for (const version of (await list(versions)).sort(byVersion).reverse()) {
      found.push(...await executablesOf(join(versions, version)));
    }
  }
  return found;
}

function denoCache(environment: Readonly<Record<string, string>>, platform: Platform): string {
  const { DENO_DIR, XDG_CACHE_HOME, HOME = "", LOCALAPPDATA = "" } = environment;
  if (DENO_DIR) return DENO_DIR;
  if (platform === "windows") return join(LOCALAPPDATA, "deno");
  if (platform === "darwin") return join(HOME, "Library", "Caches", "deno");
  return join(XDG_CACHE_HOME || join(HOME, ".cache"), "deno");
}

/** Executables of the platform packages in an `@openai` folder. */
async function executablesIn(scope: string): Promise<readonly string[]> {
  const packages = (await list(scope)).filter((name) => name.startsWith("codex-"));
  return (await Promise.all(packages.map((name) => executablesOf(join(scope, name))))).flat();
}

/** Executables of one platform package that are made for this machine. */
async function executablesOf(packageFolder: string): Promise<readonly string[]> {
  const vendor = join(packageFolder, "vendor");
  const name = process.platform === "win32" ? "codex.exe" : "codex";
  const architecture = process.arch === "arm64" ? "aarch64" : "x86_64";
  const triples = (await list(vendor)).filter((triple) => triple.startsWith(architecture));
  const paths = triples.map((triple) => realpath(join(vendor, triple, "bin", name)).catch(() => null));
  return (await Promise.all(paths)).filter((path) => path !== null);
}

async function list(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
