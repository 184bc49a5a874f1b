/**
 * Gate: what is public is documented. Every exported symbol has a docstring, every module a header, every code
 * after `@throws` belongs to the class it stands with. `scripts/ok.ts` runs the examples themselves.
 *
 * @module
 */

import { runDeno } from "../command.ts";
import type { Finding } from "./finding.ts";
import { exists, lineAt, listFiles, readConfig, readText } from "./tree.ts";

/** Kinds that only point at a declaration elsewhere. */
const REEXPORTS: ReadonlySet<string> = new Set(["import", "reference"]);

/** Checks the documentation of the tree at `root`. */
export async function checkDocs(root: string): Promise<Finding[]> {
  const sources = listFiles(root, ["mod.ts", "core", "adapters"]).filter((path) => path.endsWith(".ts"));
  const codes = readCodes(sources.map((path) => readText(root, path)).join("\n"));
  return [
    ...sources.flatMap((path) => checkHeader(path, readText(root, path))),
    ...sources.flatMap((path) => checkThrows(path, { text: readText(root, path), codes })),
    ...await checkSymbols(root),
  ];
}

function checkHeader(path: string, text: string): Finding[] {
  const header = /^(?:#![^\n]*\n)?\s*\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? "";
  const fix = "open the file with /** what it decides, which neighbour owns the rest */ and @module";
  if (!/@module\b/.test(header)) return [{ where: path, what: "has no module header", fix }];
  const words = header.replace(/@module[\s\S]*/, "").replace(/[*\s]+/g, " ").trim();
  return words.length < 20 ? [{ where: path, what: "its module header says nothing", fix }] : [];
}

/** The codes of each error class, by the text of its closed union. */
function readCodes(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const unions = new Map(
    [...text.matchAll(/export type (\w+Code)\s*=([\s\S]*?);/g)].map(([, name, body]) => [
      name ?? "",
      new Set([...(body ?? "").matchAll(/"([A-Z0-9_]+)"/g)].map((match) => match[1] ?? "")),
    ]),
  );
  return new Map(
    [...text.matchAll(/class (\w+) extends \w+<(\w+Code)>/g)].map(([, name, union]) => [
      name ?? "",
      unions.get(union ?? "") ?? new Set<string>(),
    ]),
  );
}

interface ThrowsInput {
  readonly text: string;
  readonly codes: ReadonlyMap<string, ReadonlySet<string>>;
}

function checkThrows(path: string, { text, codes }: ThrowsInput): Finding[] {
  return [...text.matchAll(/@throws\b[ \t]*([^\n]*)/g)].flatMap((match) => {
    const where = `${path}:${lineAt(text, match.index)}`;
    const [, name, code] = /^\{(\w+)\}(?: `([A-Z0-9_]+)`)?/.exec(match[1] ?? "") ?? [];
    if (name === undefined) {
      return [{ where, what: "@throws names no class", fix: "write @throws {Class} `CODE` when …" }];
    }
    const known = codes.get(name);
    if (known === undefined) return [];
    if (code === undefined) {
      return [{ where, what: `@throws {${name}} names no code`, fix: "write @throws {Class} `CODE` when …" }];
    }
    return known.has(code)
      ? []
      : [{ where, what: `${name} has no code ${code}`, fix: `use one of ${[...known].join(", ")}` }];
  });
}

interface DocSymbol {
  readonly name: string;
  readonly declarations: readonly {
    readonly declarationKind: string;
    readonly kind: string;
    readonly jsDoc?: { readonly doc?: string; readonly tags?: readonly { readonly kind: string }[] };
    readonly location: { readonly filename: string; readonly line: number };
  }[];
}

/** A module header that stands before the first symbol is none of that symbol's. */
function isDocumented({ jsDoc }: DocSymbol["declarations"][number]): boolean {
  const isHeader = jsDoc?.tags?.some(({ kind }) => kind === "module") ?? false;
  return !isHeader && (jsDoc?.doc ?? "").trim() !== "";
}

/** Asks Deno for every symbol that an export key offers. */
async function checkSymbols(root: string): Promise<Finding[]> {
  const entries = [...new Set(Object.values(readConfig(root).exports))];
  const missing = entries.filter((path) => !exists(root, path));
  const present = entries.filter((path) => exists(root, path));
  const findings: Finding[] = missing.map((path) => ({
    where: "deno.json",
    what: `${path} is exported and not there`,
    fix: "write it or take out its key",
  }));
  if (present.length === 0) return findings;
  const lint = await runDeno(["doc", "--lint", ...present], { directory: root });
  if (lint.code !== 0) findings.push(...readLint(root, lint.output));
  const json = await runDeno(["doc", "--json", ...present], { directory: root });
  if (json.code !== 0) {
    return [...findings, {
      where: "deno.json",
      what: json.output.trim(),
      fix: "correct what deno doc cannot read",
    }];
  }
  const { nodes } = JSON.parse(json.stdout) as {
    nodes: Readonly<Record<string, { readonly symbols?: readonly DocSymbol[] }>>;
  };
  const base = `file://${await Deno.realPath(root)}/`;
  for (const symbol of Object.values(nodes).flatMap((node) => node.symbols ?? [])) {
    const bare = symbol.declarations.filter((one) =>
      one.declarationKind === "export" && !REEXPORTS.has(one.kind)
    );
    const where = bare[0]?.location;
    if (where === undefined || isOfPackage(where.filename) || bare.some(isDocumented)) continue;
    findings.push({
      where: `${where.filename.replace(base, "")}:${where.line + 1}`,
      what: `${symbol.name} is exported without a docstring`,
      fix: "say what it is, its shapes and units, and what undefined means",
    });
  }
  return findings;
}

/** Types of the SDK that ours mention are exported again, and documented by their authors. */
function isOfPackage(file: string): boolean {
  return file.includes("/@modelcontextprotocol/");
}

function readLint(root: string, output: string): Finding[] {
  const fix = "document it, or export the type it mentions";
  const found = [...output.matchAll(/^error\[([\w-]+)\]: (.*)\n\s*--> (.*)$/gm)];
  if (found.length === 0) return [{ where: "deno doc --lint", what: output.trim().slice(0, 2000), fix }];
  return found.filter(([, , , where = ""]) => !isOfPackage(where)).map(([, rule, what, where]) => ({
    where: (where ?? "").replace(`${root}/`, ""),
    what: `${what} (${rule})`,
    fix,
  }));
}
