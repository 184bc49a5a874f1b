/**
 * Runs every gate and every ordinary test (on Deno, on Node, those of core on Bun), with `--real` also the tests with
 * real components. Prints for each what failed, where, and the fix, and at the end which test files took longest; the
 * last line is `N passed, N failed`, in which a gate counts as one. Gates and tests share the lanes of
 * `scripts/suites/lanes.ts`.
 *
 * @module
 */

import { runDeno } from "./command.ts";
import { checkComments } from "./gates/comments.ts";
import { checkCore } from "./gates/core.ts";
import { checkDocs } from "./gates/docs.ts";
import { checkDocuments } from "./gates/documents.ts";
import { checkErrors } from "./gates/errors.ts";
import { checkExports } from "./gates/exports.ts";
import type { Finding } from "./gates/finding.ts";
import { checkFolders } from "./gates/folders.ts";
import { checkGenerated } from "./gates/generated.ts";
import { checkGraph } from "./gates/graph.ts";
import { checkLayout } from "./gates/layout.ts";
import { checkPublish } from "./gates/publish.ts";
import { checkText } from "./gates/text.ts";
import { checkToolchain, readToolchain } from "./gates/toolchain.ts";
import { type Lanes, lanesOfMachine } from "./suites/lanes.ts";
import { findNode } from "./suites/node_binaries.ts";
import { reportOf, slowestFiles, type SuiteRun } from "./suites/suite_run.ts";
import { bunTestFiles, type DenoSuite, nodeTestFiles, ORDINARY_SUITES, REAL_SUITE } from "./suites/suites.ts";
import { findBun, testBundleOnBun } from "./suites/test_bun.ts";
import { withTestBundle } from "./suites/test_bundle.ts";
import { addCounts, type TestCounts } from "./suites/test_counts.ts";
import { testOnDeno } from "./suites/test_deno.ts";
import { testBundleOnNode } from "./suites/test_node.ts";

interface Gate {
  readonly name: string;
  readonly check: (root: string) => Finding[] | Promise<Finding[]>;
}

/** So many test files are told to be the slowest. */
const SLOWEST = 10;

const CODE: readonly string[] = ["mod.ts", "core", "adapters", "examples", "scripts", "tests"];

/** The one that takes longest comes first. */
const GATES: readonly Gate[] = [
  { name: "check", check: (root) => command(root, ["check", ...CODE], "correct the types") },
  { name: "fmt", check: (root) => command(root, ["fmt", "--check"], "deno task fmt") },
  { name: "lint", check: (root) => command(root, ["lint"], "follow the hint of the rule") },
  { name: "text", check: checkText },
  { name: "layout", check: checkLayout },
  { name: "comments", check: checkComments },
  { name: "toolchain", check: checkToolchain },
  { name: "core", check: checkCore },
  { name: "graph", check: checkGraph },
  { name: "folders", check: checkFolders },
  { name: "exports", check: checkExports },
  { name: "errors", check: checkErrors },
  { name: "docs", check: checkDocs },
  { name: "documents", check: checkDocuments },
  { name: "generated", check: checkGenerated },
  { name: "publish", check: checkPublish },
];

async function command(root: string, args: readonly string[], fix: string): Promise<Finding[]> {
  const result = await runDeno(args, { directory: root });
  if (result.code === 0) return [];
  return [{ where: `deno ${args[0]}`, what: result.output.trim().slice(-6000), fix }];
}

async function runGate(root: string, gate: Gate): Promise<TestCounts> {
  let findings: readonly Finding[];
  try {
    findings = await gate.check(root);
  } catch (error) {
    const what = `the gate itself broke: ${error}`;
    findings = [{ where: `scripts/gates/${gate.name}.ts`, what, fix: "correct the gate" }];
  }
  const report = findings.map(({ where, what, fix }) => `  ${where}: ${what}\n    fix: ${fix}`);
  const state = findings.length === 0 ? "ok    " : "failed";
  const count = findings.length === 0 ? "" : ` (${findings.length})`;
  console.log([`${state} ${gate.name}${count}`, ...report].join("\n"));
  return { passed: findings.length === 0 ? 1 : 0, failed: findings.length === 0 ? 0 : 1 };
}

/** The gate `check` has judged the types of all but the examples. */
async function runSuite(root: string, suite: DenoSuite, lanes: Lanes): Promise<SuiteRun> {
  const extra = suite.flags.includes("--doc") ? [] : ["--no-check"];
  return report(await testOnDeno(root, suite, { extra, lanes }));
}

async function runElsewhere(root: string, lanes: Lanes): Promise<readonly SuiteRun[]> {
  const { node, bun } = readToolchain(root);
  const files = [...node.flatMap((major) => nodeTestFiles(root, major)), ...bunTestFiles(root)];
  const runs = await withTestBundle(root, files, {
    lanes,
    work: async (bundle) => {
      const [onNode, onBun] = await Promise.all([
        testBundleOnNode(bundle, node, { lanes }),
        testBundleOnBun(bundle, bun, { lanes }),
      ]);
      return [...onNode, onBun];
    },
  });
  return runs.map(report);
}

function report(run: SuiteRun): SuiteRun {
  console.log(reportOf(run));
  return run;
}

/** Fetches what several processes would else fetch at the same time. Whoever needs it says what is amiss. */
async function prepare(root: string, real: boolean): Promise<void> {
  const { node, bun, codex } = readToolchain(root);
  const fetchCodex = ["cache", "--quiet", "--no-config", `npm:@openai/codex@${codex}`];
  await Promise.allSettled([
    ...node.map((major) => findNode(major)),
    findBun(bun),
    ...(real ? [runDeno(fetchCodex, { directory: "/" })] : []),
  ]);
}

async function main(root: string, real: boolean): Promise<void> {
  const begin = performance.now();
  const lanes = lanesOfMachine();
  const prepared = lanes.aside(() => prepare(root, real));
  // the first of them fetches the packages, which every process would else fetch at the same time
  const gates = await Promise.all(GATES.map((gate) => lanes.run(() => runGate(root, gate))));
  // what has the longest parts comes first, so that no lane is left with one at the end
  const suites = await Promise.all([
    ...(real ? [prepared.then(() => runSuite(root, REAL_SUITE, lanes))] : []),
    ...ORDINARY_SUITES.map((suite) => runSuite(root, suite, lanes)),
    prepared.then(() => runElsewhere(root, lanes)),
  ]);
  const runs = suites.flat();
  console.log(`\nslowest test files on Deno:\n${slowestFiles(runs, SLOWEST)}`);
  const { passed, failed } = addCounts([...gates, ...runs.map(({ counts }) => counts)]);
  console.log(`\n${Math.round((performance.now() - begin) / 1000)} s in all`);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) Deno.exitCode = 1;
}

if (import.meta.main) {
  await main(new URL("..", import.meta.url).pathname.replace(/\/$/, ""), Deno.args.includes("--real"));
}
