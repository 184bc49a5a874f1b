/**
 * The pure core of the Codex MCP runtime. Runs anywhere: no I/O, no dependency. The adapters for Deno, Node and
 * MCP SDKs have export keys of their own (`./deno`, `./node`, `./mcp`).
 *
 * @example A host builds a call's `_meta`; the server captures and plans
 * ```ts
 * import { buildCallMeta, buildSandboxState, captureAuthority, planSandboxedCommand } from "@codex-mcp/runtime";
 *
 * const meta = buildCallMeta({
 *   capabilities: { experimental: { "codex/sandbox-state": {} } },
 *   state: buildSandboxState("read-only", { directory: "/home/dev/project" }),
 *   launcher: "/opt/codex/bin/codex",
 * });
 *
 * const authority = captureAuthority(meta, { transport: "stdio" });
 * const { executable, args } = planSandboxedCommand(authority, ["make", "test"]);
 * console.log(executable, args.slice(0, 2)); // /opt/codex/bin/codex [ "sandbox", "--sandbox-state-json" ]
 * ```
 *
 * @module
 */

export {
  acceptsSandboxState,
  advertiseSandboxState,
  type AuthorityComparison,
  buildCallMeta,
  type CallMetaOptions,
  type CallTransport,
  captureAuthority,
  type CapturedAuthority,
  type CaptureOptions,
  CodexMcpError,
  compareAuthority,
  inspectProfile,
  type JsonObject,
  type JsonValue,
  type ModifierOptions,
  type PlanOptions,
  planSandboxedCommand,
  type Platform,
  type ProfileKind,
  requireSameAuthority,
  SANDBOX_LAUNCHER_KEY,
  SANDBOX_STATE_KEY,
  SANDBOX_STATE_META_KEY,
  SandboxError,
  type SandboxErrorCode,
  type SandboxLauncher,
  type SandboxStateCapability,
  type SpawnRequest,
} from "./core/sandbox/mod.ts";
export {
  isEnvironmentHook,
  launcherEnvironment,
  type LauncherEnvironmentOptions,
} from "./core/sandbox/environment.ts";
export {
  type LauncherDecision,
  type LauncherFacts,
  launcherFor,
  type NoLauncherReason,
} from "./core/sandbox/launcher.ts";
export {
  bindAuthority,
  type Binding,
  type BindingOptions,
  type BindingServer,
  type BindingTurn,
  type LauncherBinding,
  type NoStateReason,
  type StateBinding,
} from "./core/sandbox/binding.ts";
export {
  buildSandboxState,
  type PresetOptions,
  SANDBOX_MODES,
  type SandboxMode,
} from "./core/sandbox/presets.ts";
export { projectDirectory, type ProjectDirectoryOptions } from "./core/sandbox/project_directory.ts";
export {
  HostError,
  type HostErrorCode,
  JsonError,
  type JsonErrorCode,
  ProcessError,
  type ProcessErrorCode,
  SessionError,
  type SessionErrorCode,
} from "./core/errors.ts";
export {
  type AnyError,
  EnterpriseError,
  type EnterpriseErrorCode,
  type Leg,
} from "./core/enterprise/error.ts";
export {
  AuthorityCache,
  type AuthorityCacheOptions,
  type CacheCounts,
  type CachedValue,
  type CacheScope,
} from "./core/sandbox/authority_cache.ts";
