/**
 * The npm package, built once and installed as a stranger installs it: by npm, from the tarball, into a folder that
 * holds nothing else.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { type CommandResult, run } from "../../../scripts/command.ts";
import { readToolchain } from "../../../scripts/gates/toolchain.ts";
import { readConfig } from "../../../scripts/gates/tree.ts";
import { buildPackage } from "../../../scripts/npm/build.ts";
import { nodeExports } from "../../../scripts/npm/package_json.ts";
import { npmPackage } from "../../../scripts/npm_package.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";

/** The repository. */
export const ROOT: string = fileURLToPath(new URL("../../..", import.meta.url))
  .replace(/\/$/, "");

/** The export keys of the package, with the sources that they lead to. */
export const KEYS: Readonly<Record<string, string>> = nodeExports(readConfig(ROOT).exports);

/** The client that the key `./redis` needs, which its users install themselves. */
const PEER = readConfig(ROOT).imports["@redis/client"]?.replace(/^npm:/, "") ??
  "";

/** An installed package. */
export interface Installation {
  /** The tarball. */
  readonly tarball: string;
  /** The folder that it was installed in. */
  readonly folder: string;
  /** The program, as npm links it. */
  readonly program: string;
  /** Removes all of it. */
  remove(): Promise<void>;
}

/** Builds the package and installs it. */
export async function install(): Promise<Installation> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "codex-mcp-npm-" }));
  try {
    const tarball = await buildPackage(ROOT, `${base}/dist`);
    const folder = `${base}/consumer`;
    await Deno.mkdir(folder);
    await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ private: true, type: "module" }));
    const npm = Deno.build.os === "windows" ? "npm.cmd" : "npm";
    const args = [
      "install",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--prefer-offline",
      tarball,
      PEER,
    ];
    const { code, output } = await run(npm, args, { directory: folder });
    assertEquals(code, 0, output);
    return {
      tarball,
      folder,
      program: `${folder}/node_modules/.bin/codex-mcp`,
      remove: () => removeFolder(base),
    };
  } catch (error) {
    await removeFolder(base);
    throw error;
  }
}

/** The module specifier of an export key: `@codex-mcp/runtime/node` for `./node`. */
export function specifierOf(key: string): string {
  return `@codex-mcp/runtime${key.slice(1)}`;
}

/** Folder of a program that judges the package, in the version of the toolchain. */
export async function judge(name: string): Promise<string> {
  const version = readToolchain(ROOT).npm[name];
  if (version === undefined) {
    throw new Error(`scripts/toolchain.json names no version of ${name}`);
  }
  return await npmPackage(`${name}@${version}`);
}

/** Runs a piece of a module in the folder of the consumer. */
export async function evaluate(program: string, code: string, { folder }: Installation): Promise<string> {
  await Deno.writeTextFile(`${folder}/piece.mjs`, code);
  const result = await run(program, [`${folder}/piece.mjs`], {
    directory: folder,
  });
  assertEquals(result.code, 0, result.output);
  return result.stdout;
}

/** Runs the installed program with a runtime, in a home of its own. */
export async function runProgram(runtime: string, words: readonly string[], { installation, home }: {
  readonly installation: Installation;
  readonly home: string;
}): Promise<CommandResult> {
  return await run(runtime, [installation.program, ...words], {
    directory: home,
    environment: { HOME: home, CODEX_HOME: home, PATH: "/usr/bin:/bin" },
  });
}
