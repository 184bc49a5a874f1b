/**
 * Runs every gate and every ordinary test, with `--real` also the tests with real components. Prints for each what
 * failed, where, and the fix; the last line is `N passed, N failed`, in which a gate counts as one.
 *
 * @module
 */

import { runDeno } from "./command.ts";
import { checkCore } from "./gates/core.ts";
import { checkDocs } from "./gates/docs.ts";
import { checkErrors } from "./gates/errors.ts";
import { checkExports } from "./gates/exports.ts";
import type { Finding } from "./gates/finding.ts";
import { checkGraph } from "./gates/graph.ts";
import { checkLayout } from "./gates/layout.ts";
import { checkPublish } from "./gates/publish.ts";
import { checkText } from "./gates/text.ts";
import { checkToolchain, readToolchain } from "./gates/toolchain.ts";
import { ORDINARY_SUITES, REAL_SUITE } from "./suites.ts";
import { addCounts, type TestCounts } from "./test_counts.ts";
import { failedPart as failedOnDeno, type SuiteRun, testOnDeno } from "./test_deno.ts";
import { failedPart as failedOnNode, testOnNode } from "./test_node.ts";

interface Gate {
  readonly name: string;
  readonly check: (root: string) => Finding[] | Promise<Finding[]>;
}

const CODE: readonly string[] = ["mod.ts", "core", "adapters", "scripts", "tests"];

/** Gates that wait for each other's processes are kept apart; the rest may run side by side. */
const GATES: readonly (readonly Gate[])[] = [
  [
    { name: "fmt", check: (root) => command(root, ["fmt", "--check"], "deno task fmt") },
    { name: "lint", check: (root) => command(root, ["lint"], "follow the hint of the rule") },
    { name: "text", check: checkText },
    { name: "layout", check: checkLayout },
    { name: "toolchain", check: checkToolchain },
  ],
  [{ name: "check", check: (root) => command(root, ["check", ...CODE], "correct the types") }],
  [{ name: "core", check: checkCore }, { name: "graph", check: checkGraph }],
  [{ name: "exports", check: checkExports }, { name: "errors", check: checkErrors }],
  [{ name: "docs", check: checkDocs }],
  [{ name: "publish", check: checkPublish }],
];

async function command(root: string, args: readonly string[], fix: string): Promise<Finding[]> {
  const result = await runDeno(args, { directory: root });
  if (result.code === 0) return [];
  return [{ where: `deno ${args[0]}`, what: result.output.trim().slice(-6000), fix }];
}

async function runGate(root: string, gate: Gate): Promise<TestCounts> {
  const findings = await Promise.resolve(gate.check(root)).catch((error: unknown): Finding[] => [
    {
      where: `scripts/gates/${gate.name}.ts`,
      what: `the gate itself broke: ${error}`,
      fix: "correct the gate",
    },
  ]);
  const report = findings.map(({ where, what, fix }) => `  ${where}: ${what}\n    fix: ${fix}`);
  const state = findings.length === 0 ? "ok    " : "failed";
  const count = findings.length === 0 ? "" : ` (${findings.length})`;
  console.log([`${state} ${gate.name}${count}`, ...report].join("\n"));
  return { passed: findings.length === 0 ? 1 : 0, failed: findings.length === 0 ? 0 : 1 };
}

function report(run: SuiteRun, failedPart: (output: string) => string): TestCounts {
  const { passed, failed } = run.counts;
  console.log(`${failed === 0 ? "ok    " : "failed"} ${run.name}: ${passed} passed, ${failed} failed`);
  if (failed > 0) console.log(failedPart(run.output).replace(/^/gm, "  "));
  return run.counts;
}

async function main(root: string, real: boolean): Promise<void> {
  const counts: TestCounts[] = [];
  for (const group of GATES) counts.push(...await Promise.all(group.map((gate) => runGate(root, gate))));
  for (const suite of ORDINARY_SUITES) counts.push(report(await testOnDeno(root, suite), failedOnDeno));
  for (const run of await testOnNode(root, readToolchain(root).node)) counts.push(report(run, failedOnNode));
  if (real) counts.push(report(await testOnDeno(root, REAL_SUITE), failedOnDeno));
  const { passed, failed } = addCounts(counts);
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) Deno.exitCode = 1;
}

if (import.meta.main) {
  await main(new URL("..", import.meta.url).pathname.replace(/\/$/, ""), Deno.args.includes("--real"));
}
