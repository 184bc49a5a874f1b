/**
 * Placeholders in the configuration files of other hosts: `${env:NAME}`, `${NAME}`, `${NAME:-otherwise}`,
 * `${workspaceFolder}`, `${userHome}` and `${pathSeparator}`. Which texts may hold which is decided in `foreign.ts`.
 *
 * A message names the variable and never its value.
 *
 * @module
 */

import { quote } from "../errors.ts";
import type { PlaceholderValues } from "./layer.ts";

/** A text without placeholders, or what is wrong with the first that cannot be filled. */
export type ExpandedText =
  | { readonly text: string; readonly flaw?: never }
  | {
    readonly text?: never;
    /** Code and state of the fault. */
    readonly flaw: readonly [code: "VARIABLE_MISSING" | "PLACEHOLDER_UNKNOWN", state: string];
  };

/** How a text is read. */
export interface ExpandOptions extends PlaceholderValues {
  /**
   * Whether `${…}` may be something else's, such as a shell's in an argument: then only the forms that no shell knows
   * are placeholders, and all others stay as they are.
   */
  readonly shared: boolean;
}

const PLACEHOLDER: RegExp = /\$\{([^{}]*)\}/g;
const VARIABLE: RegExp = /^([A-Za-z_]\w*)(?::-([\s\S]*))?$/;

/** Fills the placeholders of `text`. A variable that is set and empty is filled in empty. */
export function expandPlaceholders(text: string, options: ExpandOptions): ExpandedText {
  let flaw: ExpandedText["flaw"];
  const expanded = text.replace(PLACEHOLDER, (whole, inside: string) => {
    const filled = fill(inside, options);
    if (filled === undefined) return whole;
    if (typeof filled === "string") return filled;
    flaw ??= filled.flaw;
    return "";
  });
  return flaw === undefined ? { text: expanded } : { flaw };
}

/** The text for one placeholder; `undefined`: it stays. */
function fill(
  inside: string,
  { environment = {}, workspace, home, shared }: ExpandOptions,
): string | { readonly flaw: NonNullable<ExpandedText["flaw"]> } | undefined {
  const unknown = (state: string) => ({ flaw: ["PLACEHOLDER_UNKNOWN", state] as const });
  const variable = (name: string, otherwise?: string) => {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    return value ?? otherwise ?? {
      flaw: [
        "VARIABLE_MISSING",
        `the variable ${quote(name)} is not set. Set it where the host is started.`,
      ] as const,
    };
  };
  if (inside === "workspaceFolder") return workspace ?? unknown("${workspaceFolder} is not known here.");
  if (inside === "userHome") return home ?? unknown("${userHome} is not known here.");
  if (inside === "pathSeparator" || inside === "/") {
    return workspace === undefined ? "/" : /^[A-Za-z]:\\|^\\\\/.test(workspace) ? "\\" : "/";
  }
  if (inside.startsWith("input:")) {
    return unknown(
      "nobody is asked for ${input:…} here. Put the value into a variable and write ${env:NAME}.",
    );
  }
  if (inside.startsWith("env:")) return variable(inside.slice("env:".length));
  if (shared) return undefined;
  const [, name, otherwise] = VARIABLE.exec(inside) ?? [];
  return name === undefined
    ? unknown("it holds a placeholder that is not known here. Write ${env:NAME}.")
    : variable(name, otherwise);
}
