/**
 * The configuration that a user of Codex already has: the layers of Codex's own `config.toml`. The administrator's and
 * the system's, the user's in `CODEX_HOME` (or a file that somebody named in its place), and the project's
 * `.codex/config.toml` from its root down, which may name ordinary servers when host policy trusts the project.
 *
 * Where the files are is decided in `places.ts`, how one is read in `policy_file.ts`, and what the values mean in
 * `core/configuration`. Nothing here uses the network or the keyring. Needs `--allow-read` on Deno.
 *
 * @module
 */

import type { ServerLayer } from "../../core/configuration/layer.ts";
import { trustsProject } from "../../core/configuration/project_trust.ts";
import type { DiskPort } from "../../core/ports/disk.ts";
import { folderOf, joinPath } from "../../core/sandbox/resolve_path.ts";
import { DISK } from "../disk.ts";
import type { ConfigurationPlaces } from "./places.ts";
import { loadPolicyFile, type PolicyFile } from "./policy_file.ts";
import { foldersBetween, projectRoot } from "./project_root.ts";
import type {
  ConfigurationSource,
  LayerText,
  LoadOutcome,
  RejectedConfiguration,
  UnavailableConfiguration,
  Watching,
} from "./source.ts";
import type { WatchOptions } from "./watch_files.ts";

/** Creates the source. Nothing is read before it is loaded. */
export function codexConfiguration(places: ConfigurationPlaces): ConfigurationSource {
  return codexConfigurationOn(DISK, places);
}

/** The same on another disk than Node's functions see. */
export function codexConfigurationOn(disk: DiskPort, places: ConfigurationPlaces): ConfigurationSource {
  const seen = new Map<string, string>();
  return {
    load: async (signal) => {
      signal?.throwIfAborted();
      const outcome = await loadLayers(places, { seen, disk });
      signal?.throwIfAborted();
      return outcome;
    },
    watch: (onChange) =>
      watchLater(async () => (await filesOf(places, disk)).files.map(({ path }) => path), { seen, onChange }),
  };
}

async function loadLayers(
  places: ConfigurationPlaces,
  { seen, disk }: { readonly seen: Map<string, string>; readonly disk: DiskPort },
): Promise<LoadOutcome> {
  const { root, files } = await filesOf(places, disk);
  const found: { readonly file: PolicyFile; readonly layer: ServerLayer }[] = [];
  const texts = new Map<string, LayerText>();
  const remarks: string[] = [];
  let failed: RejectedConfiguration | UnavailableConfiguration | null = null;
  for (const file of files) {
    const outcome = await loadPolicyFile(file, { workspace: root, exception: places.home, disk });
    seen.set(file.path, outcome.fingerprint);
    if (outcome.kind !== "read") {
      failed ??= outcome;
      continue;
    }
    const { layer, text, remark } = outcome;
    if (layer !== null) found.push({ file, layer });
    if (layer !== null && text !== null) texts.set(layer.source, text);
    if (remark !== null) remarks.push(remark);
  }
  if (failed !== null) return failed;
  const policy = found.map(({ layer }) => layer);
  const layers = await Promise.all(found.map(async ({ file, layer }) => {
    const trusted = file.kind === "project" && await isTrusted(file, { root, policy, disk });
    return trusted ? { ...layer, admitted: "trusted-project" as const } : layer;
  }));
  return { kind: "loaded", layers, texts, remarks, workspace: root };
}

/** Every file that there may be, the weakest layer first among those of one kind. */
async function filesOf(
  { administrator, system, user, named, home, directory }: ConfigurationPlaces,
  disk: DiskPort,
): Promise<{ readonly root: string; readonly files: readonly PolicyFile[] }> {
  const root = await projectRoot(directory, folderOf(home, disk), { disk });
  const taken = [user, system, administrator, joinPath(home, "config.toml", disk)];
  const own = foldersBetween(root, directory, disk)
    .map((folder) => joinPath(folder, ".codex/config.toml", disk))
    .filter((path) => !taken.includes(path));
  const files: readonly PolicyFile[] = [
    ...(system === null ? [] : [{ path: system, kind: "system", required: false, named: false } as const]),
    { path: user, kind: "user", required: named, named },
    ...(administrator === null
      ? []
      : [{ path: administrator, kind: "administrator", required: false, named: false } as const]),
    ...own.map((path) => ({ path, kind: "project", required: false, named: false } as const)),
  ];
  return { root, files };
}

/** Whether host policy trusts the project that the file stands in. It goes by the real paths of its folders. */
async function isTrusted(
  { path }: PolicyFile,
  { root, policy, disk }: {
    readonly root: string;
    readonly policy: readonly ServerLayer[];
    readonly disk: DiskPort;
  },
): Promise<boolean> {
  const project = folderOf(folderOf(path, disk), disk);
  const folders = await Promise.all(
    foldersBetween(root, project, disk).map((folder) => disk.realPath(folder).catch(() => folder)),
  );
  const ignoreCase = disk.platform === "windows";
  return trustsProject(policy, { folders: folders.toReversed(), ignoreCase });
}

/** What watches is loaded when something is to be watched. */
function watchLater(paths: () => Promise<readonly string[]>, options: WatchOptions): Watching {
  let watching: Watching | null = null;
  let closed = false;
  void import("./watch_files.ts").then(({ watchFiles }) => {
    if (!closed) watching = watchFiles(paths, options);
  });
  return {
    close: () => {
      closed = true;
      watching?.close();
    },
  };
}
