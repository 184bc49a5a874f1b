/**
 * The configuration of every server as it lies on this machine, for a command that asks nobody.
 *
 * Which files there are is decided in `adapters/configuration`.
 *
 * @module
 */

import process from "node:process";
import { renderFault } from "../../../core/configuration/fault_text.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { codexConfiguration } from "../../configuration/codex_configuration.ts";
import {
  type LoadedHostConfiguration,
  loadHostConfiguration,
} from "../../configuration/load_configuration.ts";
import { codexPlaces } from "../../configuration/places.ts";
import type { Flags } from "../flags.ts";
import type { CliRuntime } from "../runtime.ts";

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
  { environment, platform }: Pick<CliRuntime, "environment" | "platform">,
  flags: Pick<Flags, "value">,
  { directory = process.cwd() }: OfflinePlace = {},
): Promise<LoadedHostConfiguration> {
  const places = codexPlaces({ environment, platform, directory, file: flags.value("config") });
  const outcome = await loadHostConfiguration(codexConfiguration(places), null, { environment });
  if (outcome.kind === "loaded") return outcome;
  if (outcome.kind === "unavailable") {
    throw new EnterpriseError("CONFIGURATION_UNAVAILABLE", outcome.message, { reason: outcome.reason });
  }
  const { code, field } = outcome.fault;
  throw new EnterpriseError("CONFIGURATION_REFUSED", renderFault(outcome.fault), { reason: code, field });
}
