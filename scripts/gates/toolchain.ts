/**
 * Gate: `scripts/toolchain.json` is the one place of versions, and every other mention agrees with it.
 *
 * @module
 */

import type { Finding } from "./finding.ts";
import { lineAt, listDocuments, readConfig, readText } from "./tree.ts";

/** The versions that this repository is built and tested with. */
export interface Toolchain {
  /** Exact version of Deno. */
  readonly deno: string;
  /** Exact version of the Codex CLI. */
  readonly codex: string;
  /** Major versions of Node. */
  readonly node: readonly string[];
  /** Exact version of Bun. */
  readonly bun: string;
  /** Exact versions of what judges the npm package, by the name of its package. */
  readonly npm: Readonly<Record<string, string>>;
  /** Exact version of workerd. */
  readonly workerd: string;
}

const FILE = "scripts/toolchain.json";

/** Reads the versions of the tree at `root`. */
export function readToolchain(root: string): Toolchain {
  return JSON.parse(readText(root, FILE)) as Toolchain;
}

/** Checks that the tree at `root` names the same versions everywhere. */
export function checkToolchain(root: string): Finding[] {
  const { deno } = readToolchain(root);
  const findings: Finding[] = [];
  if ("@openai/codex" in readConfig(root).imports) {
    findings.push({
      where: "deno.json",
      what: "imports @openai/codex, which every command would then fetch: over 400 MB",
      fix: `take it out: whoever needs it fetches the version of ${FILE}`,
    });
  }
  const readme = readText(root, "README.md");
  const named = [...readme.matchAll(/\bdeno@(\d[\w.-]*\w)/g)].map((match) => match[1]);
  if (!named.includes(deno) || named.some((version) => version !== deno)) {
    findings.push({
      where: "README.md",
      what: `names Deno as ${named.length === 0 ? "nothing" : [...new Set(named)].join(", ")}`,
      fix: `write deno@${deno}, or change ${FILE}`,
    });
  }
  for (const path of listDocuments(root).filter((one) => one !== "README.md")) {
    const text = readText(root, path);
    for (const match of text.matchAll(/\bdeno@(\d[\w.-]*\w)/g)) {
      if (match[1] === deno) continue;
      const where = `${path}:${lineAt(text, match.index)}`;
      findings.push({ where, what: `names Deno as ${match[1]}`, fix: `write deno@${deno}` });
    }
  }
  const ci = readText(root, ".ci/run");
  if (!ci.includes(FILE) || /deno@\d/.test(ci)) {
    findings.push({
      where: ".ci/run",
      what: "does not take its versions from the list",
      fix: `read ${FILE}`,
    });
  }
  return findings;
}
