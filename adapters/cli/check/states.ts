/**
 * The states that a checked server is sent. All have the shape of Codex's own, so that a server which looks at
 * them finds what it knows; what is unknown in some is what later releases may add.
 *
 * @module
 */

import { buildSandboxState } from "../../../core/sandbox/presets.ts";

/** Where the states point to. */
export interface StatePlaces {
  /** Absolute path of the project. */
  readonly workspace: string;
  /** Absolute path of the launcher. */
  readonly launcher: string;
}

/** JSON texts of states. */
export interface CheckStates {
  /** Read only. */
  readonly usual: string;
  /** Another valid one: the workspace may be written to. */
  readonly other: string;
  /** What an attacker would want: no sandbox. */
  readonly forged: string;
  /** With `null` where a host that has no Linux sandbox executable has nothing to say. */
  readonly bare: string;
  /** The same, under the older kind of sandbox. */
  readonly legacy: string;
  /** With strings in known places that a shell would read otherwise. */
  readonly shell: string;
  /** With unknown members, in plain values. */
  readonly unknown: string;
  /** With the values of {@linkcode EXACT_VALUES}, spaced and ordered as no writer would. */
  readonly exact: string;
}

/** Name of the unknown top-level member. */
export const ADDED = "addedInALaterRelease";

/** What JSON can say and many a program loses, each with what it is called. */
export const EXACT_VALUES: readonly (readonly [name: string, text: string, what: string])[] = [
  ["int64", "9223372036854775807", "a 64-bit integer"],
  ["uint64", "18446744073709551615", "an unsigned 64-bit integer"],
  ["odd", "9007199254740993", "an integer beyond 2^53"],
  ["fraction", "1.0", "1.0"],
  ["exponent", "10E-1", "10E-1"],
  ["long", "0.1000000000000000055511151231257828", "a fraction of 34 digits"],
  ["huge", "1e400", "1e400"],
  ["negativeZero", "-0", "-0"],
  ["order", '{"b": 1, "10": 2, "9": 3}', "keys that look like integers"],
  ["__proto__", '{"own": true}', "a key named __proto__"],
  ["escapes", '"\\u0041\\/\\u00e9\\ud83d\\ude00\\t"', "escapes"],
  ["letters", '"é \u00c1 \u{1f600}"', "letters beyond ASCII"],
  ["spaces", "[ 1 ,2 ]", "white space"],
];

/** The states for these places. */
export function statesFor({ workspace, launcher }: StatePlaces): CheckStates {
  const options = { directory: workspace, linuxSandboxExecutable: launcher };
  const usual = buildSandboxState("read-only", options);
  const odd = `${workspace}/it's "one" argument; $HOME \`id\` $(id) * \\ & 'end`;
  return {
    usual: JSON.stringify(usual),
    other: JSON.stringify(buildSandboxState("workspace-write", { ...options, excludeTemporary: true })),
    bare: JSON.stringify(buildSandboxState("workspace-write", { directory: workspace })),
    legacy: JSON.stringify({
      ...buildSandboxState("read-only", { directory: workspace }),
      useLegacyLandlock: true,
      useMxc: true,
    }),
    forged: JSON.stringify(buildSandboxState("danger-full-access", options)),
    shell: JSON.stringify(
      buildSandboxState("workspace-write", { ...options, writableRoots: [odd], excludeTemporary: true }),
    ),
    unknown: JSON.stringify({ ...usual, [ADDED]: { list: ["a", 1, true, null], text: "kept" } }),
    exact: withExact(JSON.stringify(usual), EXACT_VALUES),
  };
}

/** `state` with some of {@linkcode EXACT_VALUES} in its unknown member. */
export function withExact(state: string, values: typeof EXACT_VALUES): string {
  const members = values.map(([name, text]) => `${JSON.stringify(name)} : ${text}`).join(", ");
  return `${state.slice(0, -1)} , "${ADDED}":{ ${members} }}`;
}

/** Two more spellings of `state`, neither of which a writer of JSON would come to by itself. */
export function respell(state: string): readonly [string, string] {
  const members = Object.entries<unknown>(JSON.parse(state))
    .map(([key, value]) => `${JSON.stringify(key)} : ${JSON.stringify(value)}`).reverse();
  return [`{ ${members.join(" , ")} }`, `{ ${[...members.slice(1), ...members.slice(0, 1)].join(" , ")} }`];
}
