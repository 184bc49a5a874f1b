/**
 * How large each export key is for who bundles it: minified and gzipped (`-9`), with everything it reaches. The peers
 * are bundled by the same tool in the same way. Keys that run anywhere are bundled as for a browser, and so are the
 * peers, which are smallest there.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import config from "../../deno.json" with { type: "json" };
import { atMost, type Row } from "./row.ts";

const ROOT = new URL("../../", import.meta.url);

/** How large a key may be, in thousands of bytes. */
export const LIMITS_KB: Readonly<Record<string, number>> = { "./sandbox": 5, ".": 10, "./http": 26 };

/** Keys without anything of one runtime. */
const ANYWHERE = /^\.$|^\.\/(sandbox|enterprise|http)(\/|$)/;

/** What an enterprise key is an alternative to. */
const PROVIDER =
  'export { CrossAppAccessProvider, discoverAndRequestJwtAuthGrant } from "@modelcontextprotocol/client";';
const OAUTH = 'export * from "oauth4webapi";';

/** One row an export key, in thousands of bytes. */
export async function measureSizes(): Promise<readonly Row[]> {
  const [provider, oauth] = [await kilobytesOfText(PROVIDER), await kilobytesOfText(OAUTH)];
  const rows: Row[] = [];
  for (const key of Object.keys(config.exports)) {
    const value = await kilobytesOfKey(key);
    const limit = LIMITS_KB[key];
    const row: Row = {
      name: `${key}, minified and gzipped`,
      value,
      unit: "KB",
      ...(limit === undefined ? {} : atMost(limit, { value, unit: "KB" })),
    };
    if (!key.startsWith("./http")) rows.push(row);
    else {
      rows.push({ ...row, peer: "SDK's provider", peerValue: provider });
      if (key === "./http") rows.push({ ...row, peer: "oauth4webapi alone", peerValue: oauth });
    }
  }
  return rows;
}

/** The size of what an export key of the package reaches, in thousands of bytes. */
export function kilobytesOfKey(key: string): Promise<number> {
  const entry: string | undefined = Object.entries(config.exports).find(([name]) => name === key)?.[1];
  if (entry === undefined) throw new Error(`There is no export key ${key}`);
  const platform = ANYWHERE.test(key) ? "browser" : "deno";
  return inFolder((folder) => bundledKilobytes(entry, { folder, platform }));
}

function kilobytesOfText(text: string): Promise<number> {
  return inFolder(async (folder) => {
    const entry = `${folder}/entry.ts`;
    await Deno.writeTextFile(entry, text);
    return await bundledKilobytes(entry, { folder, platform: "browser" });
  });
}

interface Bundling {
  readonly folder: string;
  readonly platform: "browser" | "deno";
}

async function bundledKilobytes(entry: string, { folder, platform }: Bundling): Promise<number> {
  const outfile = `${folder}/bundle.js`;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--minify",
      `--platform=${platform}`,
      "--config",
      new URL("deno.json", ROOT).pathname,
      "--output",
      outfile,
      entry,
    ],
    cwd: ROOT,
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`Cannot bundle ${entry}: ${new TextDecoder().decode(stderr)}`);
  return gzipSync(await Deno.readFile(outfile), { level: 9 }).byteLength / 1000;
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await Deno.makeTempDir();
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
