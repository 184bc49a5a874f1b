/**
 * Gate: `core/` is pure. It type-checks with the language and `core_ambient.d.ts` alone, and its text holds no
 * clock, randomness, `import()`, WebAssembly or module-level state that can change. `graph.ts` owns its imports.
 *
 * @module
 */

import { runDeno } from "../command.ts";
import type { Finding } from "./finding.ts";
import { blank } from "./source_text.ts";
import { lineAt, listFiles, readConfig, readText } from "./tree.ts";

const PATTERNS: readonly { readonly pattern: RegExp; readonly what: string; readonly fix: string }[] = [
  {
    pattern: /\bimport\s*\(/g,
    what: "imports while it runs",
    fix: "import at the top, or move it to adapters/",
  },
  {
    pattern: /\bWebAssembly\b/g,
    what: "uses WebAssembly",
    fix: "write it in TypeScript or move it to adapters/",
  },
  { pattern: /\bglobalThis\b/g, what: "reaches for the global object", fix: "take the value as an argument" },
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)/g,
    what: "reads the clock",
    fix: "take `now` as an argument",
  },
  { pattern: /\bMath\.random\b/g, what: "makes random values", fix: "take random bytes as an argument" },
  {
    pattern: /^(?:export\s+)?(?:let|var)\s/gm,
    what: "holds module-level state that can change",
    fix: "make it a const or an argument",
  },
  {
    pattern:
      /^(?:export\s+)?const\s+\w+(?:\s*:\s*(?!Readonly|readonly)[^=\n]+?)?\s*=\s*new\s+(?:Map|Set|WeakMap|WeakSet|Array)\b/gm,
    what: "holds a module-level collection that can change",
    fix: "annotate it as ReadonlyMap or ReadonlySet, or make it an argument",
  },
];

/** Checks `core/` of the tree at `root`. */
export async function checkCore(root: string): Promise<Finding[]> {
  const files = listFiles(root, ["core"]).filter((path) => path.endsWith(".ts"));
  if (files.length === 0) {
    return [{ where: "core/", what: "no source file", fix: "run the gate at the root of the repository" }];
  }
  return [
    ...files.flatMap((path) => checkText(path, readText(root, path))),
    ...await checkTypes(root, files),
  ];
}

function checkText(path: string, text: string): Finding[] {
  const code = blank(text, { strings: true });
  return PATTERNS.flatMap(({ pattern, what, fix }) =>
    [...code.matchAll(pattern)].map((match) => ({ where: `${path}:${lineAt(code, match.index)}`, what, fix }))
  );
}

/** The options of `deno.json`, with the language as the only library. */
async function checkTypes(root: string, files: readonly string[]): Promise<Finding[]> {
  const config = JSON.parse(readText(root, "deno.json") || "{}") as { compilerOptions?: object };
  const folder = await Deno.makeTempDir({ prefix: "codex-mcp-core-" });
  try {
    const ambient = await Deno.readTextFile(new URL("./core_ambient.d.ts", import.meta.url));
    await Deno.writeTextFile(`${folder}/core_ambient.d.ts`, ambient);
    const compilerOptions = {
      strict: true,
      ...config.compilerOptions,
      lib: ["esnext"],
      types: ["./core_ambient.d.ts"],
    };
    await Deno.writeTextFile(
      `${folder}/deno.json`,
      JSON.stringify({ compilerOptions, imports: readConfig(root).imports }),
    );
    const result = await runDeno(
      [
        "check",
        "--quiet",
        "--no-lock",
        "--config",
        `${folder}/deno.json`,
        ...files.map((path) => `${root}/${path}`),
      ],
      { directory: folder },
    );
    return result.code === 0 ? [] : readDiagnostics(root, result.output);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function readDiagnostics(root: string, output: string): Finding[] {
  const fix =
    "core/ knows the language, URL, TextEncoder and AbortSignal only: take the value as an argument";
  const found = [
    ...output.matchAll(/^(?:error: )?(TS\d+) \[ERROR\]: (.*)[\s\S]*?at file:\/\/(\S+?):(\d+):\d+/gm),
  ];
  if (found.length === 0) return [{ where: "core/", what: output.trim().slice(0, 2000), fix }];
  return found.map(([, code, what, path, line]) => ({
    where: `${(path ?? "").replace(`${root}/`, "")}:${line}`,
    what: `${what} (${code})`,
    fix,
  }));
}
