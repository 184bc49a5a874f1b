/**
 * The configuration of every server as it lies on this machine, for a command that asks nobody.
 *
 * Which files there are is decided in `adapters/configuration`.
 *
 * @module
 */

import { renderFault } from "../../../core/configuration/fault_text.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { codexConfigurationOn } from "../../configuration/codex_configuration.ts";
import { findPlaces, homeOf } from "../../configuration/find_places.ts";
import {
  type LoadedHostConfiguration,
  loadHostConfiguration,
} from "../../configuration/load_configuration.ts";
import { DISK } from "../../disk.ts";
import type { Flags } from "./flags.ts";
import type { CliRuntime } from "./runtime.ts";

/** Where a command works. */
export interface OfflinePlace {
  /** Absolute path of the project; absent: where this process is. */
  readonly directory?: string;
}

/**
 * Reads it.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when a file of host policy cannot be used, with its line.
 * @throws {EnterpriseError} `CONFIGURATION_UNAVAILABLE` when a file is there and cannot be read, or the file that
 * the command line names is not there.
 */
export async function loadOffline(
  { environment, platform, disk = DISK }: Pick<CliRuntime, "environment" | "platform" | "disk">,
  flags: Pick<Flags, "value">,
  { directory = disk.directory() }: OfflinePlace = {},
): Promise<LoadedHostConfiguration> {
  const home = homeOf({ environment, platform }) ?? (await import("node:os")).homedir();
  const options = { environment, platform, directory, file: flags.value("config") };
  const source = codexConfigurationOn(disk, findPlaces(options, { home, disk }));
  const outcome = await loadHostConfiguration(source, null, { environment });
  if (outcome.kind === "loaded") return outcome;
  if (outcome.kind === "unavailable") {
    throw new EnterpriseError("CONFIGURATION_UNAVAILABLE", outcome.message, { reason: outcome.reason });
  }
  const { code, field } = outcome.fault;
  throw new EnterpriseError("CONFIGURATION_REFUSED", renderFault(outcome.fault), { reason: code, field });
}
