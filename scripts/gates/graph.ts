/**
 * Gate: who may import whom. The pure entries reach `core/` alone, adapters of one runtime never reach another's,
 * and private files stay in their folder. `core.ts` owns what `core/` does without importing it.
 *
 * @module
 */

import { runDeno } from "../command.ts";
import type { Finding } from "./finding.ts";
import { folderOf, type ImportStatement, resolveRelative, scanImports } from "./imports.ts";
import { exists, listFiles, readConfig, readText } from "./tree.ts";

/** The export keys that any runtime can load. */
const PURE_KEYS: readonly string[] = [".", "./sandbox", "./enterprise"];

/** The export keys for authors of servers, who need no client. */
const SERVER_KEYS: readonly string[] = ["./mcp", "./deno", "./node"];

/** The SDK's client, as `deno info` names it. Types of it are not reached. */
const CLIENT = "npm:/@modelcontextprotocol/client@";

/** The client of Redis. */
const REDIS = "npm:/@redis/client@";

/** The only export key that needs it. */
const REDIS_KEY = "./redis";

/** Checks the imports of the tree at `root`. */
export async function checkGraph(root: string): Promise<Finding[]> {
  const files = listFiles(root, ["mod.ts", "core", "adapters", "examples", "scripts", "tests"]).filter(
    isTypeScript,
  );
  const findings = files.flatMap((path) =>
    scanImports(readText(root, path)).flatMap((found) => checkImport(path, found))
  );
  const entries = Object.entries(readConfig(root).exports).filter(([, path]) => exists(root, path));
  for (const [key, path] of entries) findings.push(...await checkEntry(root, { key, path }));
  return findings;
}

function isTypeScript(path: string): boolean {
  return /\.(ts|tsx|mts)$/.test(path);
}

function checkImport(file: string, found: ImportStatement): Finding[] {
  const target = resolveRelative(file, found.specifier);
  const findings: Finding[] = [];
  const report = (what: string, fix: string): void => {
    findings.push({ where: `${file}:${found.line}`, what: `${what}: "${found.specifier}"`, fix });
  };
  const inCore = file.startsWith("core/");
  const inPackage = inCore || file.startsWith("adapters/") || file === "mod.ts";
  if (inCore && !target?.startsWith("core/")) {
    report("core/ imports something else than core/", "move the code to adapters/, or pass the value in");
  }
  if (file === "mod.ts" && !target?.startsWith("core/")) {
    report("mod.ts re-exports something else than core/", "export it under a key of its adapter");
  }
  if (inPackage && target !== null && /^(tests|scripts)\//.test(target)) {
    report("the package imports what is never published", "move what is needed into core/ or adapters/");
  }
  if (target === null) {
    if (/^adapters\/mcp\/(?!host\/)/.test(file) && !found.typeOnly && !found.specifier.startsWith("node:")) {
      report("adapters/mcp needs a package at run time", "describe the shape it uses as an interface");
    }
    return findings;
  }
  const name = target.split("/").at(-1) ?? "";
  if (name.startsWith("_") && folderOf(target) !== folderOf(file) && !mirrors(file, target)) {
    report("a private file of another folder is imported", "import the folder's public file instead");
  }
  if (file.startsWith("examples/") && !target.startsWith("examples/")) {
    report("an example imports what is not published by that name", "import it by its name, as a user does");
  }
  if (target.startsWith("scripts/std/") && !file.startsWith("scripts/std/")) {
    report("a stand-in is imported by its path", 'import it by its name, such as "@std/assert"');
  }
  for (const [one, other] of [["deno", "node"], ["node", "deno"]] as const) {
    if (file.startsWith(`adapters/${one}/`) && target.startsWith(`adapters/${other}/`)) {
      report(
        `an adapter of ${one} imports one of ${other}`,
        "move what both need into core/ or adapters/sandbox/",
      );
    }
  }
  return findings;
}

/** A test may import the private file that it mirrors. */
function mirrors(file: string, target: string): boolean {
  return folderOf(file) === `tests/${folderOf(target)}`;
}

interface Entry {
  readonly key: string;
  readonly path: string;
}

interface InfoModule {
  readonly specifier: string;
  readonly error?: string;
}

/** What an export key reaches, as Deno itself resolves it. */
async function checkEntry(root: string, { key, path }: Entry): Promise<Finding[]> {
  const result = await runDeno(["info", "--json", "--no-lock", path], { directory: root });
  if (result.code !== 0) {
    return [{ where: path, what: `cannot be resolved: ${result.output.trim()}`, fix: "correct its imports" }];
  }
  const { modules } = JSON.parse(result.stdout) as { modules: readonly InfoModule[] };
  const base = new URL(`file://${await Deno.realPath(root)}/`).href;
  const reached = modules.map((module) => ({ ...module, path: module.specifier.replace(base, "") }));
  const broken = reached.filter((module) => module.error !== undefined).map((module) => ({
    where: module.path,
    what: `"${key}" reaches a module that cannot be loaded: ${module.error}`,
    fix: "correct the import that names it",
  }));
  const forbidden = reached.filter((module) => !allowed(key, module.path)).map((module) => ({
    where: path,
    what: `"${key}" reaches ${module.path}`,
    fix: module.path.startsWith(CLIENT)
      ? "authors of servers need no client: move the import to adapters/mcp/host/"
      : module.path.startsWith(REDIS)
      ? "only who shares leases through Redis needs it: move the import to adapters/redis/"
      : PURE_KEYS.includes(key)
      ? "the pure entries reach mod.ts and core/ alone: move the import to adapters/"
      : "each runtime has adapters of its own: take out the import",
  }));
  return [...broken, ...forbidden];
}

function allowed(key: string, path: string): boolean {
  if (path.startsWith(CLIENT) && SERVER_KEYS.includes(key)) return false;
  if (path.startsWith(REDIS) && key !== REDIS_KEY) return false;
  if (PURE_KEYS.includes(key)) return path === "mod.ts" || path.startsWith("core/");
  if (/^(tests|scripts)\//.test(path)) return path.startsWith("scripts/std/");
  if (key === "./deno") return !path.startsWith("adapters/node/") && !path.startsWith("adapters/cli/");
  if (key === "./node") return !path.startsWith("adapters/deno/") && !path.startsWith("adapters/cli/");
  if (key === "./deno/host") return !path.startsWith("adapters/node/");
  if (key === "./node/host") return !path.startsWith("adapters/deno/");
  return true;
}
