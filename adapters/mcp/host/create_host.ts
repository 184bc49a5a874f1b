/**
 * Puts a host together.
 *
 * @module
 */

import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { ServerEntry } from "../../../core/configuration/entry.ts";
import { launcherEnvironment } from "../../../core/sandbox/environment.ts";
import { ToolCatalog } from "../../catalog/tool_catalog.ts";
import { ProcessGuard } from "../../sandbox/guard.ts";
import { LauncherProbe } from "../../sandbox/probe.ts";
import { VERSION } from "../../version.ts";
import { HostClient } from "./client/host_client.ts";
import { inputCapabilities } from "./client/input.ts";
import { registerInput } from "./client/registration.ts";
import { ConfigurationReader } from "./configuration/configuration_reader.ts";
import { SecretSource } from "./configuration/secret_source.ts";
import { createServerConnection } from "./connect/create_connection.ts";
import type { ServerConnection } from "./connect/server_connection.ts";
import { createEnterpriseServers } from "./enterprise/threads/create_enterprise_servers.ts";
import { tellChanges } from "./events/connection_events.ts";
import { EnterpriseEvents } from "./events/enterprise_events.ts";
import { EventHub } from "./events/host_events.ts";
import { UncheckedNotes } from "./events/unchecked_notes.ts";
import type { Host } from "./host.ts";
import type { HostOptions } from "./host_options.ts";
import { RunningHost } from "./running_host.ts";
import { LauncherChoice } from "./sandbox/launcher_choice.ts";
import { captureTurn } from "./sandbox/turn_sandbox.ts";
import { ServerSet } from "./servers/server_set.ts";
import { ToolLists } from "./tools/tool_lists.ts";

/**
 * Creates a host: reads its configuration, and connects to nobody yet.
 *
 * @throws {HostError} `CONFIGURATION_INVALID` when host policy breaks a rule.
 * @throws {EnterpriseError} `CONFIGURATION_UNAVAILABLE` when the configuration could not be read.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { processes, files, clock, platform, environment, onInput: handlers = {} } = options;
  const clientInfo = options.clientInfo ?? { name: "codex-mcp", version: VERSION };
  const capabilities = inputCapabilities(handlers, options.capabilities);
  const hub = new EventHub();
  const closing = new AbortController();
  const guard = new ProcessGuard(processes);
  const enterpriseEvents = new EnterpriseEvents(hub);
  const secrets = new SecretSource({
    environment,
    keyring: (name, signal) => options.secrets.secret(name, signal),
  });
  const enterprise = createEnterpriseServers({
    ...options,
    grants: (provider) => options.secrets.grants(provider),
    readSecret: (reference) => secrets.read(reference),
    sdk: { Client: HostClient, StreamableHTTPClientTransport },
    clientInfo,
    capabilities,
    prepare: (client, { server, thread }) => register(client, { server, thread }),
    onEvent: (event) => enterpriseEvents.take(event),
  });
  const notes = new UncheckedNotes(hub);
  const catalog = new ToolCatalog({
    clock,
    store: options.catalog ?? null,
    report: ({ message }) => hub.emit({ kind: "log", level: "warning", message }),
  });
  const lists = new ToolLists({ ...options, catalog, clientInfo, capabilities });
  const servers = new ServerSet((entry) => connect(entry));
  const configurationReader = new ConfigurationReader({ host: options, servers, enterprise, secrets, hub });
  const launcherPart = launcherEnvironment(environment, { platform });
  const probe = new LauncherProbe({
    processes,
    files,
    environment: launcherPart,
    guard,
    signal: closing.signal,
  });
  const host = new RunningHost({
    hub,
    servers,
    enterprise,
    enterpriseEvents,
    configurationReader,
    guard,
    closing,
    settled: () => catalog.settled(),
    turn: options.sandbox === undefined ? null : captureTurn(options.sandbox),
    threadHost: {
      launchers: new LauncherChoice({ files, probe, platform }),
      clock,
      platform,
      tools: (slot, use) => lists.list(slot, use),
      definitions: lists,
    },
  });
  try {
    await configurationReader.first(closing.signal);
  } catch (error) {
    await host.close();
    throw error;
  }
  if (options.watch) host.watch();
  return host;

  function connect(entry: ServerEntry): ServerConnection | null {
    if (entry.kind === "enterprise") return null;
    const { name } = entry;
    const connection = createServerConnection(entry, {
      ...options,
      guard,
      clientInfo,
      capabilities,
      client: HostClient,
      prepare: (client) => register(client, { server: name, thread: null }),
      onNote: (message) => hub.emit({ kind: "log", level: "warning", message }),
    });
    connection.onCatalogChanged(() => void lists.changed(entry));
    tellChanges(connection, hub);
    return connection;
  }

  function register(client: unknown, use: { readonly server: string; readonly thread: string | null }): void {
    if (!(client instanceof HostClient)) return;
    registerInput(client, { handlers, ...use });
    client.onUnchecked = (tool) => notes.unchecked(use.server, tool);
  }
}
