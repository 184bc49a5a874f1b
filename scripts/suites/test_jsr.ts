/**
 * Runs the ordinary suites with the real packages in place of the stand-ins of `scripts/std`, on a generated
 * configuration without `links`. For machines that reach JSR; elsewhere it says so and fails.
 *
 * @module
 */

import { runDeno } from "../command.ts";
import { reportOf } from "./suite_run.ts";
import { ORDINARY_SUITES } from "./suites.ts";
import { addCounts } from "./test_counts.ts";
import { testOnDeno } from "./test_deno.ts";

/** The text of `deno.json` as a configuration elsewhere: without links, with absolute export paths. */
export function withoutLinks(config: string, root: string): string {
  const { links: _links, exports, ...rest } = JSON.parse(config) as {
    readonly links?: unknown;
    readonly exports: Readonly<Record<string, string>>;
  };
  const base = `file://${root}/`;
  const imports = Object.fromEntries(
    Object.entries((rest as { imports?: Readonly<Record<string, string>> }).imports ?? {}),
  );
  const name = (rest as { name?: string }).name ?? "";
  const own = Object.entries(exports).map((
    [key, path],
  ) => [`${name}${key.slice(1)}`, new URL(path, base).href]);
  const generated: Record<string, unknown> = { ...rest, imports: { ...imports, ...Object.fromEntries(own) } };
  for (const field of ["name", "version", "publish", "tasks", "license"]) delete generated[field];
  return JSON.stringify(generated, null, 2);
}

async function main(root: string): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "codex-mcp-jsr-" });
  try {
    const config = `${folder}/deno.json`;
    await Deno.writeTextFile(config, withoutLinks(await Deno.readTextFile(`${root}/deno.json`), root));
    const extra = ["--config", config, "--no-lock"];
    const probe = await runDeno(["cache", ...extra, `${root}/tests/scripts/std/assert/mod_test.ts`], {
      directory: root,
    });
    if (probe.code !== 0) {
      console.log(`JSR cannot be reached from here, so nothing was tested:\n${probe.output.trim()}`);
      console.log("\n0 passed, 1 failed");
      Deno.exitCode = 1;
      return;
    }
    const counts = [];
    for (const suite of ORDINARY_SUITES) {
      const run = await testOnDeno(root, suite, { extra });
      console.log(reportOf(run));
      counts.push(run.counts);
    }
    const { passed, failed } = addCounts(counts);
    console.log(`\n${passed} passed, ${failed} failed`);
    if (failed > 0) Deno.exitCode = 1;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) await main(new URL("../..", import.meta.url).pathname.replace(/\/$/, ""));
