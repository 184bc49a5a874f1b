/**
 * Run as a program of its own in the tree that a gate looks at: imports every export key and prints, as JSON, the
 * run-time names of each and what is wrong with exported error classes. Reads the root from its first argument.
 *
 * @module
 */

/** What one export key offers at run time. */
export interface KeySurface {
  /** Names of its run-time exports, sorted. */
  readonly names: readonly string[];
  /** One sentence for each fault of an exported error class. */
  readonly errorFaults: readonly string[];
  /** Why the key could not be imported, `null` when it was. */
  readonly failure: string | null;
}

type ErrorClass = new (code: string, message: string) => Error;

async function main(root: string): Promise<void> {
  const config = JSON.parse(await Deno.readTextFile(`${root}/deno.json`)) as {
    exports: Record<string, string>;
  };
  const base = await importOrNull(`${root}/core/errors.ts`);
  const Base: unknown = base.module?.["CodexMcpError"];
  const surface: Record<string, KeySurface> = {};
  for (const [key, path] of Object.entries(config.exports)) {
    const { module, failure } = await importOrNull(`${root}/${path}`);
    const entries = Object.entries(module ?? {}).sort(([a], [b]) => a < b ? -1 : 1);
    surface[key] = {
      names: entries.map(([name]) => name),
      errorFaults: entries.flatMap(([name, value]) => faultsOf(name, value, Base)),
      failure,
    };
  }
  console.log(`\n${JSON.stringify(surface)}`);
}

interface Imported {
  readonly module: Readonly<Record<string, unknown>> | null;
  readonly failure: string | null;
}

async function importOrNull(path: string): Promise<Imported> {
  try {
    return { module: await import(new URL(`file://${path}`).href), failure: null };
  } catch (error) {
    return { module: null, failure: String(error) };
  }
}

function faultsOf(name: string, value: unknown, Base: unknown): string[] {
  if (typeof value !== "function" || !(value.prototype instanceof Error)) return [];
  if (typeof Base !== "function") return ["core/errors.ts exports no CodexMcpError"];
  if (value === Base) return [];
  if (!(value.prototype instanceof Base)) return [`${name} does not extend CodexMcpError`];
  const made = new (value as ErrorClass)("SOME_CODE", "Cannot do it");
  const code: unknown = Reflect.get(made, "code");
  const faults = code === "SOME_CODE" ? [] : [`${name} has no code of its own: ${JSON.stringify(code)}`];
  return made.name === name ? faults : [...faults, `${name} calls itself ${made.name}`];
}

if (import.meta.main) await main(Deno.args[0] ?? Deno.cwd());
