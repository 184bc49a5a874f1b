/**
 * What the npm package says about itself: its `package.json`, derived from `deno.json` and from what the built files
 * import. `build.ts` owns the files.
 *
 * @module
 */

import { scanImports } from "../gates/imports.ts";
import { blank } from "../gates/source_text.ts";

/** The parts of `deno.json` that a package is made of. */
export interface SourceConfig {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
}

/** A file of the package: its path with `/`, and its text. */
export interface BuiltFile {
  readonly path: string;
  readonly text: string;
}

/** The command line on Node, which the package has in place of the one on Deno. */
export const NODE_CLI = "./adapters/cli/node_main.ts";

/** The program that `bin` names. No export key leads to it: it runs when it is imported. */
export const NODE_PROGRAM = "./adapters/cli/node_program.ts";

/**
 * Packages that some keys alone need at run time: those of hosts, of the command line, and of whoever keeps a sign-in.
 * npm installs them unless it is told `--omit=optional`, so that commands and types have everything, while the
 * author of a server can do without a client, and a machine without a built keyring can still install the rest.
 */
const OPTIONAL: ReadonlySet<string> = new Set([
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/server",
  "@napi-rs/keyring",
  "@rushstack/node-core-library",
]);

/** Packages that one key alone loads: whoever uses the key installs them, and nobody else. */
const PEERS: ReadonlySet<string> = new Set(["@redis/client"]);

/** The export keys that Node can use, with the sources that they lead to. */
export function nodeExports(exports: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(exports).filter(([key]) => key !== "./deno" && !key.startsWith("./deno/"));
  return Object.fromEntries(entries.map(([key, path]) => [key, key === "./cli" ? NODE_CLI : path]));
}

/** Builds the `package.json`. Throws when a file imports a package that `deno.json` does not name. */
export function packageJson(config: SourceConfig, files: readonly BuiltFile[]): Record<string, unknown> {
  const needed = [...requiredPackages(config.imports, files)].sort(([a], [b]) => a < b ? -1 : 1);
  const of = (kind: (name: string) => boolean) => Object.fromEntries(needed.filter(([name]) => kind(name)));
  const peerDependencies = of((name) => PEERS.has(name));
  return {
    name: config.name,
    version: config.version,
    description:
      "MCP tool calls with captured authority: the Codex MCP runtime for Deno, Node and edge runtimes",
    license: config.license,
    keywords: ["mcp", "modelcontextprotocol", "codex", "sandbox", "enterprise-managed-authorization"],
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    bin: { "codex-mcp": built(NODE_PROGRAM, ".js").slice(2) },
    exports: Object.fromEntries([
      ...Object.entries(nodeExports(config.exports)).map(([key, path]) => [key, {
        types: built(path, ".d.ts"),
        default: built(path, ".js"),
      }]),
      ["./package.json", "./package.json"],
    ]),
    files: ["mod.js", "mod.d.ts", "core", "adapters", "std", "CHANGELOG.md"],
    dependencies: of((name) => !OPTIONAL.has(name) && !PEERS.has(name)),
    optionalDependencies: of((name) => OPTIONAL.has(name)),
    peerDependencies,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(peerDependencies).map((name) => [name, { optional: true }]),
    ),
  };
}

function built(path: string, extension: string): string {
  return path.replace(/\.ts$/, extension);
}

/** The range of each npm package that `files` name, be it in an import or in a text that is imported later. */
function requiredPackages(
  imports: Readonly<Record<string, string>>,
  files: readonly BuiltFile[],
): ReadonlyMap<string, string> {
  const ranges = new Map(
    Object.entries(imports).flatMap(([name, target]) => {
      const range = /^npm:(?:@[^/]+\/)?[^@/]+@(.+)$/.exec(target)?.[1];
      return range === undefined ? [] : [[name, range] as const];
    }),
  );
  const needed = new Map<string, string>();
  for (const { path, text } of files) {
    const code = blank(text, { strings: false });
    const imported = scanImports(text).map(({ specifier }) => packageOf(specifier));
    const named = [...code.matchAll(/["']([^"'\s]+)["']/g)].map(([, word = ""]) => packageOf(word));
    for (const name of imported) {
      if (name !== null && !ranges.has(name)) {
        throw new Error(`Cannot pack ${path}: nothing says what "${name}" is`);
      }
    }
    for (const name of [...imported, ...named]) {
      const range = name === null ? undefined : ranges.get(name);
      if (name !== null && range !== undefined) needed.set(name, range);
    }
  }
  return needed;
}

/** The package that a specifier names; `null` for a file and for what Node has itself. */
function packageOf(specifier: string): string | null {
  if (/^(?:\.|\/|node:|file:)/.test(specifier)) return null;
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? null;
}
