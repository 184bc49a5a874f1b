/**
 * Builds the npm package, a tarball, from the sources that JSR gets: `deno pack` writes one JavaScript file for each
 * source and the declarations of what is public, so that a stack names the source, and so that a class is the same
 * one under every export key. On top of that this script decides what Deno does not know: no `./deno`, the command
 * line of Node and its `bin`, `package.json` (`package_json.ts`), and where `@std/cli` comes from (`std_cli.ts`).
 *
 * In a checkout `@std/cli` is the stand-in of `scripts/std/cli`, because `links` in `deno.json` says so.
 *
 * `deno task pack [FOLDER]` writes the tarball to a folder, `dist` by default, and prints its path. Needs npm.
 *
 * @module
 */

import { cpSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { run, runDeno } from "../command.ts";
import { scanImports } from "../gates/imports.ts";
import { listFiles, readText } from "../gates/tree.ts";
import { type BuiltFile, NODE_PROGRAM, nodeExports, packageJson, type SourceConfig } from "./package_json.ts";
import { withStdCli } from "./std_cli.ts";

/** Copied as they are. */
const DOCUMENTS = ["README.md", "CHANGELOG.md", "LICENSE"];

/** Builds the package of the tree at `root` and gives back the path of the tarball, which lies in `folder`. */
export async function buildPackage(root: string, folder: string): Promise<string> {
  const work = await Deno.realPath(await Deno.makeTempDir({ prefix: "codex-mcp-pack-" }));
  try {
    const config = JSON.parse(readText(root, "deno.json")) as SourceConfig & {
      readonly links?: readonly string[];
    };
    const stage = await stageSources(root, { work, config });
    const files = await withStdCli(await emit(stage, work), stage);
    checkImports(files);
    const target = join(work, "package");
    for (const { path, text } of files) await write(join(target, path), text);
    for (const name of DOCUMENTS) await write(join(target, name), readText(root, name));
    const described = JSON.stringify(packageJson(config, files), null, 2);
    await write(join(target, "package.json"), `${described}\n`);
    await Deno.mkdir(folder, { recursive: true });
    return await tarball(target, resolve(folder));
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

interface Stage {
  readonly work: string;
  readonly config: SourceConfig & { readonly links?: readonly string[] };
}

/** Copies what is packed, with a configuration that has the exports of Node, and gives back its folder. */
async function stageSources(root: string, { work, config }: Stage): Promise<string> {
  const stage = join(work, "stage");
  for (const path of ["mod.ts", "core", "adapters"]) {
    cpSync(join(root, path), join(stage, path), { recursive: true });
  }
  const links = (config.links ?? []).map((link, index) => {
    cpSync(join(root, link), join(work, `link-${index}`), { recursive: true });
    return `../link-${index}`;
  });
  const exports = { ...nodeExports(config.exports), "./program": NODE_PROGRAM };
  const { name, version, license, imports } = config;
  await write(join(stage, "deno.json"), JSON.stringify({ name, version, license, exports, imports, links }));
  return stage;
}

/** Lets Deno emit, and gives back what is left of it: its JavaScript and its declarations. */
async function emit(stage: string, work: string): Promise<readonly BuiltFile[]> {
  const packed = join(work, "emitted.tgz");
  const args = ["pack", "--quiet", "--allow-dirty", "--no-source-maps", "--output", packed];
  await must(runDeno(args, { directory: stage }), "let Deno emit the package");
  const folder = join(work, "emitted");
  await Deno.mkdir(folder);
  await must(run("tar", ["-xzf", packed, "-C", folder], { directory: work }), "unpack what Deno emitted");
  const base = join(folder, "package");
  return listFiles(base, ["mod.js", "mod.d.ts", "core", "adapters"])
    .filter((path) => /\.(?:js|d\.ts)$/.test(path))
    .map((path) => ({ path, text: readText(base, path) }));
}

/** Every relative import leads to a file: declarations to declarations, programs to programs. */
function checkImports(files: readonly BuiltFile[]): void {
  const paths = new Set(files.map(({ path }) => path));
  for (const { path, text } of files) {
    for (const { specifier } of scanImports(text).filter((one) => one.specifier.startsWith("."))) {
      const found = join(dirname(path), specifier).replaceAll("\\", "/");
      const wanted = path.endsWith(".d.ts") ? found.replace(/\.js$/, ".d.ts") : found;
      if (!paths.has(wanted)) {
        throw new Error(`Cannot pack ${path}: it imports ${specifier}, which was not emitted`);
      }
    }
  }
}

async function tarball(target: string, folder: string): Promise<string> {
  const npm = Deno.build.os === "windows" ? "npm.cmd" : "npm";
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await must(run(npm, args, { directory: target }), "make the tarball");
  const [{ filename }] = JSON.parse(stdout) as readonly [{ readonly filename: string }];
  return join(folder, basename(filename));
}

async function must<Result extends { readonly code: number; readonly output: string }>(
  running: Promise<Result>,
  what: string,
): Promise<Result> {
  const result = await running;
  if (result.code !== 0) throw new Error(`Cannot ${what}: ${result.output.trim()}`);
  return result;
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}

if (import.meta.main) {
  const root = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
  console.log(await buildPackage(root, Deno.args[0] ?? join(root, "dist")));
}
