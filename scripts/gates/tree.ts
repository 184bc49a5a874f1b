/**
 * Reads the tree that a gate looks at. Paths are relative to the root and use `/`.
 *
 * @module
 */

const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", "coverage", "dist"]);

/** Every file under `folders` of `root` (a folder may be a single file), sorted. A missing folder holds none. */
export function listFiles(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) => walk(root, folder)).sort();
}

/** The Markdown documents of the tree. */
export function listDocuments(root: string): string[] {
  return listFiles(root, ["."]).filter((path) => path.endsWith(".md"));
}

function walk(root: string, path: string): string[] {
  const info = statOrNull(`${root}/${path}`);
  if (info === null) return [];
  if (info.isFile) return [path];
  return [...Deno.readDirSync(`${root}/${path}`)]
    .filter((entry) => !SKIPPED.has(entry.name) && !entry.isSymlink)
    .flatMap((entry) => walk(root, path === "." ? entry.name : `${path}/${entry.name}`));
}

function statOrNull(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Whether `path` is there. */
export function exists(root: string, path: string): boolean {
  return statOrNull(`${root}/${path}`) !== null;
}

/** Text of a file, empty when it is not there. */
export function readText(root: string, path: string): string {
  return exists(root, path) ? Deno.readTextFileSync(`${root}/${path}`) : "";
}

/** The fields of `deno.json` that gates look at. */
export interface PackageConfig {
  readonly name?: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
  readonly tasks: Readonly<Record<string, unknown>>;
}

/** Reads `deno.json`; absent fields are empty. */
export function readConfig(root: string): PackageConfig {
  const parsed = JSON.parse(readText(root, "deno.json") || "{}") as Partial<PackageConfig>;
  const { exports = {}, imports = {}, tasks = {} } = parsed;
  return { ...parsed, exports, imports, tasks };
}

/** Line number, from 1, of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
