/**
 * A host of MCP servers on Node: `adapters/mcp/host` with this runtime's ports, environment and working directory, and
 * with Codex's own configuration, unless the embedding program gives others.
 *
 * Enterprise servers need what {@linkcode openSecrets} needs.
 *
 * @module
 */

import process from "node:process";
import { createHost as createHostWith } from "../mcp/host/create_host.ts";
import { withDefaults } from "../mcp/host/default_options.ts";
import type { Host } from "../mcp/host/host.ts";
import type { HostOptions } from "../mcp/host/host_options.ts";
import { createFiles } from "./file.ts";
import { hostPlatform } from "./host_platform.ts";
import { openSecrets } from "./keyring.ts";
import { createProcesses } from "./process.ts";
import { createSendingRuntime } from "./sending.ts";

/**
 * Creates a host: reads the configuration, and connects to nobody yet.
 *
 * @throws {HostError} `CONFIGURATION_INVALID` when host policy breaks a rule.
 * @throws {EnterpriseError} `CONFIGURATION_UNAVAILABLE` when the configuration could not be read.
 */
export async function createHost(options: Partial<HostOptions> = {}): Promise<Host> {
  return await createHostWith(withDefaults(options, {
    processes: createProcesses(),
    files: createFiles(),
    runtime: createSendingRuntime(),
    platform: hostPlatform(),
    environment: variables(),
    directory: process.cwd(),
    openSecrets: () => openSecrets(),
  }));
}

/** A snapshot, without the names that are not set. */
function variables(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).filter((one): one is [string, string] => one[1] !== undefined),
  );
}
