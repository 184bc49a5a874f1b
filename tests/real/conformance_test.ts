/**
 * The MCP conformance suite over `scripts/conformance_client.ts`. The suite comes from npm, into a cache folder of the
 * user, and runs on Node 22.
 *
 * @module
 */

import { assert } from "@std/assert";
import { test } from "node:test";
import { run } from "../../scripts/command.ts";
import { findNode } from "../../scripts/node_binaries.ts";

/** The first line of the suite that has the scenarios of revision 2026-07-28. */
const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

const SCENARIOS: readonly (readonly string[])[] = [
  ["auth/enterprise-managed-authorization"],
  ["auth/enterprise-managed-authorization", "--spec-version", "2026-07-28", "--force"],
  ["auth/metadata-issuer-mismatch"],
  ["auth/resource-mismatch"],
  ["request-metadata"],
  ["tools_call"],
  ["tools_call", "--spec-version", "2026-07-28"],
];

const ROOT = new URL("../../", import.meta.url).pathname;

for (const [scenario = "", ...options] of SCENARIOS) {
  test(`the conformance suite passes ${[scenario, ...options].join(" ")}`, async () => {
    const [node, suite] = await Promise.all([findNode("22"), findSuite()]);
    const client = `${Deno.execPath()} run -A --config ${ROOT}deno.json ${ROOT}scripts/conformance_client.ts`;
    const args = [suite, "client", "--command", client, "--scenario", scenario, ...options];
    const result = await run(node.program, args, { directory: cacheFolder() });
    assert(result.code === 0 && result.output.includes("OVERALL: PASSED"), result.output.slice(-4_000));
  });
}

function cacheFolder(): string {
  const base = Deno.env.get("XDG_CACHE_HOME") ??
    `${Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE")}/.cache`;
  return `${base}/codex-mcp-runtime`;
}

let installing: Promise<string> | undefined;

/** Path of the suite's program. */
function findSuite(): Promise<string> {
  return installing ??= installSuite();
}

/** Installs beside the place and moves it in, so that a broken install leaves nothing behind. */
async function installSuite(): Promise<string> {
  const folder = `${cacheFolder()}/conformance-${SUITE.split("@").at(-1)}`;
  const program = `${folder}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;
  if (await exists(program)) return program;
  await Deno.mkdir(cacheFolder(), { recursive: true });
  const staging = await Deno.makeTempDir({ dir: cacheFolder(), prefix: "install-" });
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", staging, SUITE];
  const result = await run(Deno.build.os === "windows" ? "npm.cmd" : "npm", args, { directory: staging });
  if (result.code !== 0) throw new Error(`Cannot install "${SUITE}": ${result.output.trim()}`);
  await Deno.rename(staging, folder);
  return program;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
