/**
 * What a host is made of unless the embedding program says otherwise: Codex's own configuration, the user's cache
 * folder for tool catalogs, the keyring. The same on every runtime; what differs is given.
 *
 * @module
 */

import { createFileCatalogStore } from "../../catalog/file_store.ts";
import { catalogFolder } from "../../catalog/folder.ts";
import { codexConfiguration } from "../../configuration/codex_configuration.ts";
import { codexPlaces } from "../../configuration/places.ts";
import { createClock } from "../../http/transport/clock.ts";
import { createDigest } from "../../http/transport/digest.ts";
import { createHttp } from "../../http/transport/http.ts";
import type { HostOptions, HostPorts, HostSecrets } from "./host_options.ts";

/** What a runtime gives. */
export interface RuntimeParts extends Pick<HostPorts, "processes" | "files" | "runtime" | "platform"> {
  /** The environment of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly directory: string;
  /** Opens the keyring. Called when something of it is needed first. */
  readonly openSecrets: () => HostSecrets;
}

/** Fills in what `given` leaves out. Reads nothing yet. */
export function withDefaults(given: Partial<HostOptions>, parts: RuntimeParts): HostOptions {
  const environment = given.environment ?? parts.environment;
  const platform = given.platform ?? parts.platform;
  const directory = given.directory ?? parts.directory;
  const folder = catalogFolder({ platform, variable: (name) => environment[name] });
  const runtime = given.runtime ?? parts.runtime;
  return {
    ...given,
    environment,
    platform,
    directory,
    runtime,
    processes: given.processes ?? parts.processes,
    files: given.files ?? parts.files,
    clock: given.clock ?? createClock(),
    digest: given.digest ?? createDigest(),
    http: given.http ?? createHttp({ runtime }),
    secrets: given.secrets ?? openedLater(parts.openSecrets),
    configuration: given.configuration ??
      codexConfiguration(codexPlaces({ environment, platform, directory })),
    catalog: given.catalog ?? (folder === null ? undefined : createFileCatalogStore({ folder })),
  };
}

/** A host without enterprise servers needs no keyring, and may have none. */
function openedLater(open: () => HostSecrets): HostSecrets {
  let opened: HostSecrets | undefined;
  return {
    grants: async (provider) => await (opened ??= open()).grants(provider),
    secret: async (name, signal) => await (opened ??= open()).secret(name, signal),
  };
}
