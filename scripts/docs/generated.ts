/**
 * The files of the documentation that scripts write: which ones, and what they hold. `write.ts` writes them.
 *
 * @module
 */

import { extname } from "node:path";
import { runDeno } from "../command.ts";
import { readText } from "../gates/tree.ts";
import { renderCommandLine } from "./command_line.ts";
import { drawPicture } from "./picture/draw.ts";
import { renderTroubleshooting } from "./troubleshooting/render.ts";

/** This repository, whose codes the files are about. */
export const REPOSITORY: string = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

/** What each of them holds, from the sources at a root; by path. */
export const GENERATED: Readonly<Record<string, (root: string) => string | Promise<string>>> = {
  "docs/troubleshooting.md": (root) => renderTroubleshooting((path) => readText(root, path)),
  "docs/command-line.md": renderCommandLine,
  "docs/authority.svg": drawPicture,
};

/** What the file at `path` should hold, as `deno fmt` writes it. */
export async function renderFile(path: string): Promise<string> {
  return await formatted(await GENERATED[path]?.(REPOSITORY) ?? "", path);
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
