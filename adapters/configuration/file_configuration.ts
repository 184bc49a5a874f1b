/**
 * A configuration that is one file: Codex's own in TOML, or JSON in its or another host's vocabulary. It is the
 * user's layer; one in the workspace, or that others may write, is the project's: its ordinary servers are used,
 * since somebody named the file, and nothing of enterprise authentication.
 *
 * How it is read is decided in `policy_file.ts`. With the layers of the machine around it, see
 * `codex_configuration.ts`. Needs `--allow-read` and `--allow-env` on Deno.
 *
 * @module
 */

import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { loadPolicyFile } from "./policy_file.ts";
import { projectRoot } from "./project_root.ts";
import type { ConfigurationSource } from "./source.ts";
import { watchFiles } from "./watch_files.ts";

/** What the judgement of the file depends on. */
export interface FileConfigurationOptions {
  /** The working directory; absent: that of the process. */
  readonly directory?: string;
  /** The default `~/.codex`, whose own files are the user's; absent: that of the process's user. */
  readonly home?: string;
}

/** Creates the source. Nothing is read before it is loaded; the file has to be there then. */
export function fileConfiguration(
  path: string,
  { directory = process.cwd(), home = defaultHome() }: FileConfigurationOptions = {},
): ConfigurationSource {
  const file = resolve(directory, path);
  const seen = new Map<string, string>();
  return {
    load: async (signal) => {
      signal?.throwIfAborted();
      const workspace = await projectRoot(directory, dirname(home));
      const outcome = await loadPolicyFile(
        { path: file, kind: "user", required: true, named: true },
        { workspace, exception: home },
      );
      seen.set(file, outcome.fingerprint);
      signal?.throwIfAborted();
      if (outcome.kind !== "read") return outcome;
      const { layer, text, remark } = outcome;
      return {
        kind: "loaded",
        layers: layer === null ? [] : [layer],
        texts: new Map(layer === null || text === null ? [] : [[layer.source, text]]),
        remarks: remark === null ? [] : [remark],
        workspace,
      };
    },
    watch: (onChange) => watchFiles(() => [file], { seen, onChange }),
  };
}

/** As `places.ts` finds it: by the variables, which need no permission of their own on Deno. */
function defaultHome(): string {
  return join(process.env["HOME"] || process.env["USERPROFILE"] || homedir(), ".codex");
}
