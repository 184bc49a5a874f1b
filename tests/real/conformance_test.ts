/**
 * The MCP conformance suite over `scripts/conformance_client.ts`: the host as the client, in each scenario about what
 * it does, at each revision that the scenario exists for. The suite comes from npm, and runs on Node 22.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { run } from "../../scripts/command.ts";
import { findNode } from "../../scripts/suites/node_binaries.ts";
import { cacheFolder, npmPackage } from "../../scripts/npm_package.ts";

/** The first line of the suite that has the scenarios of revision 2026-07-28. */
const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** Scenarios by the revision, and how many checks they make of a client that does what they ask for. */
const SCENARIOS: readonly (readonly [scenario: string, checks: Readonly<Record<string, number>>])[] = [
  ["initialize", { "2025-06-18": 1, "2025-11-25": 1 }],
  ["tools_call", { "2025-06-18": 2, "2025-11-25": 2, "2026-07-28": 2 }],
  ["sse-retry", { "2025-11-25": 3 }],
  ["request-metadata", { "2026-07-28": 8 }],
  ["http-standard-headers", { "2026-07-28": 3 }],
  ["http-custom-headers", { "2026-07-28": 18 }],
  ["http-invalid-tool-headers", { "2026-07-28": 12 }],
  ["auth/metadata-issuer-mismatch", { "2026-07-28": 3 }],
  ["auth/resource-mismatch", { "2026-07-28": 2 }],
];

/** Scenarios of extensions belong to no revision, and run at each that is asked for. */
const EXTENSION_SCENARIOS: typeof SCENARIOS = [
  ["auth/enterprise-managed-authorization", { "2025-11-25": 11, "2026-07-28": 9 }],
];

const ROOT = new URL("../../", import.meta.url).pathname;

for (const [scenario, checks] of [...SCENARIOS, ...EXTENSION_SCENARIOS]) {
  for (const [revision, count] of Object.entries(checks)) {
    test(`the conformance suite passes ${scenario} at ${revision}`, async () => {
      const client =
        `${Deno.execPath()} run -A --config ${ROOT}deno.json ${ROOT}scripts/conformance_client.ts`;
      const options = ["--command", client, "--scenario", scenario, "--spec-version", revision, "--force"];
      const result = await runSuite("client", ...options);
      assert(result.code === 0 && result.output.includes("OVERALL: PASSED"), result.output.slice(-4_000));
      // a scenario that saw nothing passes as well, with no check at all
      const passed = `Passed: ${count}/${count}, 0 failed, 0 warnings`;
      assert(result.output.includes(passed), `"${passed}" is not in ${result.output.slice(-4_000)}`);
    });
  }
}

test("the suite knows these scenarios at these revisions, and at no others", async () => {
  const { output } = await runSuite("list", "--client");
  const listed = new Map(
    [...output.matchAll(/^ *- (\S+) \[(.*)\]$/gm)].map(([, name, revisions]) => [name, revisions]),
  );
  for (const [scenario, checks] of SCENARIOS) {
    assertEquals(listed.get(scenario), Object.keys(checks).join(","), scenario);
  }
  for (const [scenario] of EXTENSION_SCENARIOS) assertEquals(listed.get(scenario), "extension", scenario);
});

async function runSuite(...args: readonly string[]): Promise<Awaited<ReturnType<typeof run>>> {
  const [node, folder] = await Promise.all([findNode("22"), npmPackage(SUITE)]);
  return await run(node.program, [`${folder}/dist/index.js`, ...args], { directory: cacheFolder() });
}
