/**
 * The configuration of enterprise-managed authorization as it lies on this machine: the layers of Codex's own
 * `config.toml`. The administrator's and the system's under `/etc/codex`, the user's in `CODEX_HOME` (or the file
 * that `--config` names in its place), and the project's `.codex/config.toml` from its root down. The root is that of
 * the outermost repository around the working directory: one that lies in another belongs to it, so that a project
 * cannot make its own files look like the user's by one more `.git` further down.
 *
 * Whether a file may be host policy is decided in `enterprise/layer_trust.ts`; what the values mean in
 * `core/enterprise/config`. Nothing here uses the network or the keyring.
 *
 * @module
 */

import { readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import {
  type EnterpriseConfiguration,
  readConfiguration,
} from "../../core/enterprise/config/configuration.ts";
import type { ConfigurationLayer } from "../../core/enterprise/config/layer.ts";
import { type PolicyFile, readPolicyLayer, readProjectLayer } from "./enterprise/layer_file.ts";
import { isInside } from "./enterprise/layer_trust.ts";
import type { Flags } from "./flags.ts";
import type { CliRuntime } from "./runtime.ts";

/** Where the files are. */
export interface ConfigurationPlaces {
  /** The administrator's file; `null`: the system has no place for one. */
  readonly administrator: string | null;
  /** The system's file; `null`: as above. */
  readonly system: string | null;
  /** The user's file. */
  readonly user: string;
  /** Whether the user's file was named on the command line, so that it has to be there. */
  readonly named: boolean;
  /** The default `~/.codex`, which is the user's although a workspace may lie around it. */
  readonly home: string;
  /** The working directory. */
  readonly directory: string;
}

/** What was read. */
export interface LoadedConfiguration {
  /** What the layers say together. */
  readonly configuration: EnterpriseConfiguration;
  /** The layers themselves. They may hold secrets: never print them. */
  readonly layers: readonly ConfigurationLayer[];
  /** Files that are not taken for what they were named as, or not read at all, a sentence each. */
  readonly remarks: readonly string[];
}

/** The places of this process: flags, variables and working directory. */
export function configurationPlaces(
  { environment, platform }: Pick<CliRuntime, "environment" | "platform">,
  flags: Pick<Flags, "value">,
): ConfigurationPlaces {
  const named = flags.value("config");
  const home = join(environment["HOME"] || environment["USERPROFILE"] || homedir(), ".codex");
  const shared = platform === "windows"
    ? environment["ProgramData"] && join(environment["ProgramData"], "OpenAI", "Codex")
    : "/etc/codex";
  return {
    administrator: shared ? join(shared, "managed_config.toml") : null,
    system: shared ? join(shared, "config.toml") : null,
    user: resolve(named ?? join(environment["CODEX_HOME"] || home, "config.toml")),
    named: named !== undefined,
    home,
    directory: process.cwd(),
  };
}

/**
 * Reads every layer. The project's own is read to say what it tries, and decides nothing.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when a file of host policy is no TOML.
 * @throws {EnterpriseError} `CONFIGURATION_UNAVAILABLE` when a file is there and cannot be read, or the file that
 * the command line names is not there.
 */
export async function loadEnterpriseConfiguration(places: ConfigurationPlaces): Promise<LoadedConfiguration> {
  const root = await projectRoot(places.directory, dirname(places.home));
  const files: readonly PolicyFile[] = [
    { path: places.system, kind: "system", required: false },
    { path: places.user, kind: "user", required: places.named },
    { path: places.administrator, kind: "administrator", required: false },
  ];
  const layers: ConfigurationLayer[] = [];
  const remarks: string[] = [];
  for (const file of files) {
    const { layer, remark } = await readPolicyLayer(file, { workspace: root, home: places.home });
    if (layer !== null) layers.push(layer);
    if (remark !== null) remarks.push(remark);
  }
  const taken = new Set(layers.map(({ source }) => source));
  for (const folder of foldersBetween(root, places.directory)) {
    const path = join(folder, ".codex", "config.toml");
    if (taken.has(path) || path === join(places.home, "config.toml")) continue;
    const { layer, remark } = await readProjectLayer(path);
    if (layer !== null) layers.push(layer);
    if (remark !== null) remarks.push(remark);
  }
  return { configuration: readConfiguration(layers), layers, remarks };
}

/**
 * The root of the project: the outermost repository on the way up, else the nearest folder with anything named `.git`,
 * else the working directory itself. Further out only a repository counts, since sandboxes leave an empty `.git` where
 * none may be made. Below the home one that is the home, or lies around it, does not count where there is one further
 * down: who keeps the home in a repository works in many projects there.
 */
export async function projectRoot(directory: string, home: string): Promise<string> {
  const homes = [resolve(home), await realpath(home).catch(() => resolve(home))]
    .filter((one) => isInside(directory, one));
  let nearest: string | null = null;
  let outermost: string | null = null;
  for (let folder = directory;; folder = dirname(folder)) {
    const kind = await gitAt(folder);
    if (kind !== null) nearest ??= folder;
    if (kind === "repository" && !homes.some((one) => isInside(one, folder))) outermost = folder;
    if (folder === dirname(folder)) return outermost ?? nearest ?? directory;
  }
}

/** What `.git` is in `folder`: a repository or a link to one, something else, or not there. */
async function gitAt(folder: string): Promise<"repository" | "something" | null> {
  const path = join(folder, ".git");
  const facts = await stat(path).catch(() => null);
  if (facts === null) return null;
  const whole = facts.isFile()
    ? facts.size < MAX_LINK_BYTES && (await readFile(path, "utf8").catch(() => "")).startsWith("gitdir:")
    : await stat(join(path, "HEAD")).then(() => true, () => false);
  return whole ? "repository" : "something";
}

/** Longest `.git` file that is read. */
const MAX_LINK_BYTES = 1 << 16;

/** The folders from `root` down to `directory`. */
export function foldersBetween(root: string, directory: string): readonly string[] {
  const folders = [directory];
  while (folders[0] !== undefined && folders[0] !== root) folders.unshift(dirname(folders[0]));
  return folders;
}
