/**
 * The environment of a stdio server: which variables of the host it gets.
 *
 * | from | which |
 * |---|---|
 * | the host | the base list of `core/sandbox/environment.ts`, when set: `PATH` without its relative entries, `HOME`, `USER`, `LOGNAME`, `SHELL`, `TERM`, `TZ`, `CODEX_HOME`, locale, temporary folders, proxies and certificates; on Windows the system's own names |
 * | the host | {@linkcode MORE_NAMES}: what an MCP server gets of Codex besides |
 * | the host | the names in the server's `env_vars`; one that is not set is left out |
 * | the configuration | the server's `env`, over all of these |
 *
 * Everything else stays with the host: its tokens and keys, and the hooks of loaders and interpreters
 * (`LD_PRELOAD`, `NODE_OPTIONS`, …). Unlike a launcher, a server gets a hook when its own configuration names it: who
 * may write that names the program as well.
 *
 * @module
 */

import type { StdioEntry } from "../../../../../core/configuration/entry.ts";
import { launcherEnvironment } from "../../../../../core/sandbox/environment.ts";
import type { Platform } from "../../../../../core/sandbox/path.ts";

/** Passed on when set, besides the base list. */
// deno-fmt-ignore
export const MORE_NAMES: Readonly<Record<Platform, readonly string[]>> = {
  linux: [],
  darwin: ["__CF_USER_TEXT_ENCODING"],
  windows: [
    "USERDOMAIN", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES", "ALLUSERSPROFILE", "PUBLIC",
    "POWERSHELL", "PWSH",
  ],
};

/** The variables of a server, from a snapshot of the host's. Windows compares the names without regard to case. */
export function serverEnvironment(
  entry: Pick<StdioEntry, "env" | "envVars">,
  { source, platform }: {
    readonly source: Readonly<Record<string, string | undefined>>;
    readonly platform: Platform;
  },
): Readonly<Record<string, string>> {
  const fold = (name: string): string => platform === "windows" ? name.toUpperCase() : name;
  const variables = new Map<string, readonly [name: string, value: string]>();
  const put = (name: string, value: string): void => {
    variables.set(fold(name), [name, value]);
  };
  const base = launcherEnvironment(source, { names: MORE_NAMES[platform], platform });
  for (const [name, value] of Object.entries(base)) put(name, value);
  const wanted = new Set(entry.envVars.map(fold));
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && wanted.has(fold(name))) put(name, value);
  }
  for (const [name, value] of Object.entries(entry.env)) put(name, value);
  return Object.fromEntries(variables.values());
}
