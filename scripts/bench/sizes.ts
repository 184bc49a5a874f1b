/**
 * How large each export key is for who bundles it: minified, gzipped, with everything it reaches.
 *
 * @module
 */

import config from "../../deno.json" with { type: "json" };
import type { Row } from "./row.ts";

const ROOT = new URL("../../", import.meta.url);
const TARGETS_KB: Readonly<Record<string, number>> = { "./sandbox": 5, ".": 10 };

/** One row an export key, in thousands of bytes. */
export async function measureSizes(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [key, path] of Object.entries(config.exports)) {
    const kilobytes = await gzippedKilobytes(path);
    const limit = TARGETS_KB[key];
    rows.push({
      name: `${key}, minified and gzipped`,
      value: kilobytes,
      unit: "KB",
      ...(limit === undefined ? {} : { target: `at most ${limit} KB`, met: kilobytes <= limit }),
    });
  }
  return rows;
}

async function gzippedKilobytes(path: string): Promise<number> {
  const folder = Deno.makeTempDirSync();
  const outfile = `${folder}/bundle.js`;
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "--quiet", "--minify", "--platform=deno", "--output", outfile, path],
      cwd: ROOT,
      stderr: "piped",
    }).output();
    if (!success) throw new Error(`Cannot bundle ${path}: ${new TextDecoder().decode(stderr)}`);
    const source = new Blob([Deno.readFileSync(outfile)]).stream();
    const gzipped = await new Response(source.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    return gzipped.byteLength / 1000;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
