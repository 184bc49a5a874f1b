/**
 * A host of MCP servers: connections, tool calls with captured authority, threads and their accounts, enterprise
 * servers. Here with every port explicit; `./deno/host` and `./node/host` fill them in.
 *
 * Nothing is read or started at import. Over the MCP SDK, version 2.
 *
 * @module
 */

export { createHost } from "./create_host.ts";
export type { HostChoices, HostOptions, HostPorts, HostSecrets } from "./host_options.ts";
export type { Host, ReloadOutcome, SignInOptions, ThreadOptions } from "./host.ts";
export type { CallOptions, Thread, ToolsOptions } from "./thread/thread.ts";
export type { ListedTools } from "./tools/tool_lists.ts";
export { ToolCall } from "./call/tool_call.ts";
export { CallAuthority, type IssuedAuthority, type SentAuthority } from "./call/authority.ts";
export type { CapturedTurn, TurnSandbox } from "./sandbox/turn_sandbox.ts";
export type { HostEvent, HostEvents, HostListener } from "./events/host_events.ts";
export type { InputContext, InputHandlers } from "./client/input.ts";
export type { ServerAuth, ServerReport, ServerState } from "./servers/server_report.ts";
export type {
  CallToolResult,
  ClientCapabilities,
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
  Implementation,
  ListRootsResult,
  Progress,
  Tool,
} from "@modelcontextprotocol/client";
export type { Account, AccountName, IssuedIdentity } from "./enterprise/account.ts";
export { createFileCatalogStore, type FileCatalogStoreOptions } from "../../catalog/file_store.ts";
export { catalogFolder, type CatalogFolderFacts } from "../../catalog/folder.ts";
export { createMemoryCatalogStore } from "../../catalog/memory_store.ts";
export type { CatalogTrouble } from "../../catalog/trouble.ts";
export { codexConfiguration } from "../../configuration/codex_configuration.ts";
export { fileConfiguration, type FileConfigurationOptions } from "../../configuration/file_configuration.ts";
export { codexPlaces, type ConfigurationPlaces, type PlacesOptions } from "../../configuration/places.ts";
export type {
  ConfigurationSource,
  LayerText,
  LoadedLayers,
  LoadOutcome,
  ManagedSource,
  RejectedConfiguration,
  UnavailableConfiguration,
  Watching,
} from "../../configuration/source.ts";
export type { ServerLayer } from "../../../core/configuration/layer.ts";
export type { CatalogEntry, CatalogTool } from "../../../core/catalog/entry.ts";
export type { CatalogKey } from "../../../core/catalog/key.ts";
export type { CatalogStore } from "../../../core/catalog/store.ts";
export type { ConfigurationFault } from "../../../core/configuration/layers/fault.ts";
export type { ConfigurationLayer, LayerKind, LayerName } from "../../../core/configuration/layers/layer.ts";
export type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
export type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
export type { ServerStatus } from "../../../core/enterprise/status/status.ts";
export type { JsonObject, JsonValue } from "../../../core/json/value.ts";
export type { ClockPort } from "../../../core/ports/clock.ts";
export type { DigestPort } from "../../../core/ports/digest.ts";
export type { FilePort } from "../../../core/ports/file.ts";
export type { HttpPort } from "../../../core/ports/http.ts";
export type { ProcessPort } from "../../../core/ports/process.ts";
export type { Platform } from "../../../core/sandbox/path.ts";
export type { AccountIdentity, AccountTokens } from "../../http/grants/program_grant_source.ts";
export type { GrantSource } from "../../http/grants/grant_source.ts";
export type { SendingRuntime } from "../../http/transport/sending.ts";
export type { SignOutReport } from "../../http/tokens/provider_sign_in.ts";
