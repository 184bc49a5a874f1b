/**
 * Variables of the environment by name, as the system itself finds them.
 *
 * @module
 */

/** Where variables are looked up. */
export interface VariableFacts {
  /** The variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The system: on Windows the case of a name does not matter. */
  readonly platform: "linux" | "darwin" | "windows";
}

/**
 * Reads a variable by its name; `undefined`: it is not set.
 *
 * @example
 * ```ts
 * import { variablesOf } from "./variables.ts";
 *
 * const environment = { Path: "C:\\bin" };
 * console.log(variablesOf({ environment, platform: "windows" })("PATH")); // C:\bin
 * console.log(variablesOf({ environment, platform: "linux" })("PATH")); // undefined
 * ```
 */
export function variablesOf({ environment, platform }: VariableFacts): (name: string) => string | undefined {
  if (platform !== "windows") {
    return (name) => Object.hasOwn(environment, name) ? environment[name] : undefined;
  }
  const folded = new Map(Object.entries(environment).map(([name, value]) => [name.toUpperCase(), value]));
  return (name) => folded.get(name.toUpperCase());
}
