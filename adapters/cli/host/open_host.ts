/**
 * The host that `servers`, `tools` and `call` work with: Codex's own configuration, the system's keyring, the user's
 * catalog of tools. What a host does is decided in `adapters/mcp/host`; which files there are, in
 * `adapters/configuration`.
 *
 * @module
 */

import process from "node:process";
import { codexConfiguration } from "../../configuration/codex_configuration.ts";
import { codexPlaces } from "../../configuration/places.ts";
import { variablesOf } from "../../configuration/variables.ts";
import { createHost } from "../../mcp/host/create_host.ts";
import { withDefaults } from "../../mcp/host/default_options.ts";
import type { Host } from "../../mcp/host/host.ts";
import type { HostSecrets } from "../../mcp/host/host_options.ts";
import { VERSION } from "../../version.ts";
import type { Flags } from "../program/flags.ts";
import type { SecretStore } from "../program/keyring_secrets.ts";
import type { CliRuntime } from "../program/runtime.ts";

/** How a host is opened. */
export interface HostUse {
  /** The command line: `--config`. */
  readonly flags: Pick<Flags, "value">;
  /** Absolute path of the project, which is the servers' working directory too; absent: where this process is. */
  readonly directory?: string;
}

/**
 * Runs `work` with a host, which is closed after it with everything that it started.
 *
 * @throws {HostError} `CONFIGURATION_INVALID` when a file of the configuration cannot be used, with its line.
 * @throws {EnterpriseError} `CONFIGURATION_UNAVAILABLE` when the configuration could not be read.
 */
export async function withHost<Value>(
  runtime: CliRuntime,
  { flags, directory = process.cwd() }: HostUse,
  work: (host: Host) => Promise<Value>,
): Promise<Value> {
  const { environment, platform, processes, files } = runtime;
  const places = codexPlaces({ environment, platform, directory, file: flags.value("config") });
  const secrets = secretsOf(runtime);
  const parts = {
    processes,
    files,
    platform,
    environment,
    directory,
    runtime: runtime.createSending(variablesOf(runtime)),
    openSecrets: () => secrets,
  };
  const clientInfo = { name: "codex-mcp", version: VERSION };
  const configuration = codexConfiguration(places);
  const host = await createHost(withDefaults({ configuration, clientInfo }, parts));
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

/** The keyring, opened when something of it is needed first: most hosts need none. */
function secretsOf(runtime: CliRuntime): HostSecrets {
  let opened: Promise<SecretStore> | undefined;
  const open = (): Promise<SecretStore> => opened ??= runtime.openSecrets();
  return {
    grants: async (provider) => await (await open()).grants(provider),
    secret: async (name, signal) => await (await open()).secret(name, signal),
  };
}
