/**
 * The host that `servers`, `tools` and `call` work with: Codex's own configuration, the system's keyring, the user's
 * catalog of tools. What a host does is decided in `adapters/mcp/host`; which files there are, in
 * `adapters/configuration`.
 *
 * @module
 */

import process from "node:process";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { HostError } from "../../../core/errors.ts";
import { renderFault } from "../../../core/configuration/fault_text.ts";
import { codexConfiguration } from "../../configuration/codex_configuration.ts";
import { codexPlaces } from "../../configuration/places.ts";
import type { ConfigurationSource, LoadOutcome } from "../../configuration/source.ts";
import { createHost } from "../../mcp/host/create_host.ts";
import { withDefaults } from "../../mcp/host/default_options.ts";
import type { Host } from "../../mcp/host/host.ts";
import type { HostSecrets } from "../../mcp/host/host_options.ts";
import { variablesOf } from "../enterprise/parts.ts";
import type { SecretStore } from "../enterprise/secret_store.ts";
import type { Flags } from "../flags.ts";
import type { CliRuntime } from "../runtime.ts";
import { VERSION } from "../version.ts";

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
  const named = flags.value("config");
  const places = codexPlaces({
    environment,
    platform,
    directory,
    ...(named === undefined ? {} : { file: named }),
  });
  const { source, outcome } = remembering(codexConfiguration(places));
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
  const options = { configuration: source, clientInfo: { name: "codex-mcp", version: VERSION } };
  const host = await createHost(withDefaults(options, parts)).catch((error: unknown) => {
    throw explained(error, outcome());
  });
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

/** A source, and what it gave last. */
function remembering(
  source: ConfigurationSource,
): { readonly source: ConfigurationSource; readonly outcome: () => LoadOutcome | null } {
  let last: LoadOutcome | null = null;
  return {
    source: { load: async (signal) => last = await source.load(signal) },
    outcome: () => last,
  };
}

/** The error of a configuration that is not used, with the file and the line. */
function explained(error: unknown, outcome: LoadOutcome | null): unknown {
  if (outcome?.kind === "rejected" && error instanceof HostError) {
    return new HostError("CONFIGURATION_INVALID", renderFault(outcome.fault));
  }
  if (outcome?.kind === "unavailable" && error instanceof EnterpriseError) {
    return new EnterpriseError("CONFIGURATION_UNAVAILABLE", outcome.message, { reason: outcome.reason });
  }
  return error;
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
