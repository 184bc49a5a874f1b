/**
 * Puts `@std/cli` into the package. It comes from JSR, of which npm knows nothing, so each module of it that is used
 * becomes one file under `std/`.
 *
 * Which `@std/cli` that is, the configuration says: where `links` names the stand-in of `scripts/std/cli`, as in a
 * checkout, it is the stand-in, whose results are the same for what is used; without `links` it is the package of
 * JSR, whose licence (MIT) is then written above it. The head of each file says which one it is.
 *
 * @module
 */

import { dirname, relative } from "node:path/posix";
import { runDeno } from "../command.ts";
import { scanImports } from "../gates/imports.ts";
import type { BuiltFile } from "./package_json.ts";

const NAME = "@std/cli";

const MIT = `
Copyright 2018-2026 the Deno authors.

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The files with `@std/cli` among them. `stage` is a folder whose configuration resolves it. */
export async function withStdCli(files: readonly BuiltFile[], stage: string): Promise<readonly BuiltFile[]> {
  const modules = new Set<string>();
  const changed = files.map(({ path, text }) => {
    const used = scanImports(text).map(({ specifier }) => specifier).filter(isOfStdCli);
    for (const specifier of used) modules.add(specifier);
    const place = (specifier: string): string =>
      `./${relative(dirname(path), fileOf(specifier))}`.replace("./..", "..");
    return { path, text: used.reduce((all, one) => all.replaceAll(`"${one}"`, `"${place(one)}"`), text) };
  });
  const bundled = await Promise.all([...modules].sort().map((specifier) => bundle(specifier, stage)));
  return [...changed, ...bundled];
}

function isOfStdCli(specifier: string): boolean {
  return specifier === NAME || specifier.startsWith(`${NAME}/`);
}

/** Where a module of it goes: `@std/cli/parse-args` to `std/parse_args.js`. */
function fileOf(specifier: string): string {
  const name = specifier.slice(NAME.length + 1) || "mod";
  return `std/${name.replace(/\W/g, "_")}.js`;
}

async function bundle(specifier: string, stage: string): Promise<BuiltFile> {
  const path = fileOf(specifier);
  const entry = `${stage}/${path.replaceAll("/", "_").replace(/\.js$/, ".ts")}`;
  await Deno.writeTextFile(entry, `export * from ${JSON.stringify(specifier)};\n`);
  const [{ code, output, stdout }, info] = await Promise.all([
    runDeno(["bundle", "--quiet", "--no-lock", "--platform=deno", entry], { directory: stage }),
    runDeno(["info", "--json", "--no-lock", entry], { directory: stage }),
  ]);
  if (code !== 0 || info.code !== 0) throw new Error(`Cannot bundle "${specifier}": ${output}${info.output}`);
  return { path, text: `${head(specifier, info.stdout)}\n${stdout}` };
}

/** The comment above a bundle. */
function head(specifier: string, info: string): string {
  const { modules } = JSON.parse(info) as { readonly modules: readonly { readonly specifier: string }[] };
  const foreign = modules.map((one) => /\/@std\/cli\/([^/]+)\//.exec(one.specifier)?.[1]).find((one) => one);
  return foreign === undefined
    ? `// In place of ${specifier}: a stand-in of this package.`
    : `/*! ${specifier} ${foreign}, from JSR.\n${MIT}\n*/`;
}
