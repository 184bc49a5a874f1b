/**
 * A host of MCP servers on Deno: `adapters/mcp/host` with this runtime's ports, environment and working directory, and
 * with Codex's own configuration, unless the embedding program gives others.
 *
 * Permissions: `--allow-run`, `--allow-read`, `--allow-env`, `--allow-sys=uid`, `--allow-net` for the servers that are
 * reached and for 127.0.0.1, where it tries whether certificates are checked, `--allow-write` for the cache folder, and
 * for enterprise servers those of {@linkcode openSecrets}.
 *
 * @module
 */

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
    environment: Deno.env.toObject(),
    directory: Deno.cwd(),
    openSecrets: () => openSecrets(),
  }));
}
