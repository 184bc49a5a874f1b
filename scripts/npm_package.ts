/**
 * Programs of others that tests run, from npm: installed once, in a cache folder of the user.
 *
 * @module
 */

import { run } from "./command.ts";

const installing = new Map<string, Promise<string>>();

/** Folder of the package `specifier`, such as `@scope/name@1.2.3`. It is installed first when it is not there. */
export function npmPackage(specifier: string): Promise<string> {
  const known = installing.get(specifier) ?? install(specifier);
  installing.set(specifier, known);
  return known;
}

/** Installs beside the place and moves it in, so that a broken install leaves nothing behind. */
async function install(specifier: string): Promise<string> {
  const at = specifier.lastIndexOf("@");
  const [name, version] = [specifier.slice(0, at), specifier.slice(at + 1)];
  const place = `${cacheFolder()}/${name.split("/").at(-1)}-${version}`;
  const folder = `${place}/node_modules/${name}`;
  if (await isThere(folder)) return folder;
  await Deno.mkdir(cacheFolder(), { recursive: true });
  const staging = await Deno.makeTempDir({ dir: cacheFolder(), prefix: "install-" });
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", staging, specifier];
  const result = await run(Deno.build.os === "windows" ? "npm.cmd" : "npm", args, { directory: staging });
  if (result.code !== 0) throw new Error(`Cannot install "${specifier}": ${result.output.trim()}`);
  try {
    await Deno.rename(staging, place);
  } catch (error) {
    // another process may have been faster
    await Deno.remove(staging, { recursive: true });
    if (!await isThere(folder)) throw error;
  }
  return folder;
}

/** Where what is installed for tests is kept. */
export function cacheFolder(): string {
  const base = Deno.env.get("XDG_CACHE_HOME") ??
    `${Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE")}/.cache`;
  return `${base}/codex-mcp-runtime`;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
