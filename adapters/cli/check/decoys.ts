/**
 * Executables named `codex` in the places where a server could look for one by itself. None may ever be started:
 * the launcher of a call lies elsewhere.
 *
 * The server's own working directory has none: it is the author's folder, in which a check writes nothing.
 *
 * @module
 */

import { join } from "node:path";
import type { Launch, Recorder } from "./recorder.ts";

/** By the name that its record has: where it lies below the recorder's folder, and what a sentence calls it. */
const DECOYS: Readonly<Record<string, { readonly paths: readonly string[]; readonly name: string }>> = {
  decoy: { paths: ["path/codex"], name: "the codex that lies first on PATH" },
  home: { paths: ["home/codex", "home/bin/codex"], name: "the codex in CODEX_HOME" },
  workspace: {
    paths: ["workspace/codex", "workspace/bin/codex", "workspace/node_modules/.bin/codex"],
    name: "the codex in the workspace",
  },
  variable: { paths: ["variable/codex"], name: "the codex that an environment variable names" },
};

/** Variables that a server might take a launcher from. */
const VARIABLES = [
  "CODEX",
  "CODEX_BIN",
  "CODEX_PATH",
  "CODEX_CLI_PATH",
  "CODEX_EXECUTABLE",
  "CODEX_LAUNCHER",
];

/** Puts all decoys there, and gives back `environment` with what leads to them. */
export async function placeDecoys(
  recorder: Recorder,
  environment: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  for (const [by, { paths }] of Object.entries(DECOYS)) {
    for (const path of paths) await recorder.place(by, { path, recordsProbe: true });
  }
  const variable = join(recorder.folder, "variable/codex");
  return {
    ...environment,
    PATH: `${join(recorder.folder, "path")}:${environment["PATH"] ?? "/usr/bin:/bin"}`,
    CODEX_HOME: join(recorder.folder, "home"),
    ...Object.fromEntries(VARIABLES.map((name) => [name, variable])),
  };
}

/** What a sentence calls the decoy that was started; `undefined` when it was none. */
export function decoyName({ by }: Pick<Launch, "by">): string | undefined {
  return Object.hasOwn(DECOYS, by) ? DECOYS[by]?.name : undefined;
}
