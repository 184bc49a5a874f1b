/**
 * The files of the documentation that scripts write: which ones, and whether they are up to date.
 *
 * @module
 */

import { extname } from "node:path";
import { runDeno } from "../command.ts";
import { readText } from "../gates/tree.ts";
import { drawPicture } from "./picture/draw.ts";
import { renderTroubleshooting } from "./troubleshooting/render.ts";

/** This repository, whose codes the files are about. */
export const REPOSITORY: string = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

interface GeneratedFile {
  /** The script that writes it. */
  readonly script: string;
  /** What it holds, from the sources at `root`. */
  readonly render: (root: string) => string;
}

/** The files, by path. */
export const GENERATED: Readonly<Record<string, GeneratedFile>> = {
  "docs/troubleshooting.md": {
    script: "scripts/docs/troubleshooting.ts",
    render: (root) => renderTroubleshooting((path) => readText(root, path)),
  },
  "docs/authority.svg": { script: "scripts/docs/picture.ts", render: () => drawPicture() },
};

/** What the file at `path` should hold, as `deno fmt` writes it. */
export async function renderFile(path: string): Promise<string> {
  return await formatted(GENERATED[path]?.render(REPOSITORY) ?? "", path);
}

async function formatted(text: string, path: string): Promise<string> {
  const file = await Deno.makeTempFile({ suffix: extname(path) });
  try {
    await Deno.writeTextFile(file, text);
    const config = `${REPOSITORY}/deno.json`;
    const result = await runDeno(["fmt", "--quiet", "--config", config, file], { directory: REPOSITORY });
    if (result.code !== 0) throw new Error(`deno fmt: ${result.output.trim()}`);
    return await Deno.readTextFile(file);
  } finally {
    await Deno.remove(file);
  }
}

/** Writes the file at `path`, or with `check` only looks. Gives back the exit code: 1 where it was not up to date. */
export async function generate(path: string, { check }: { readonly check: boolean }): Promise<number> {
  const text = await renderFile(path);
  if (readText(REPOSITORY, path) === text) return 0;
  if (check) {
    console.error(`${path} is not up to date. Run: deno run -A ${GENERATED[path]?.script}`);
    return 1;
  }
  await Deno.writeTextFile(`${REPOSITORY}/${path}`, text);
  console.log(`wrote ${path}`);
  return 0;
}
