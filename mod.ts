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
  buildSandboxState,
  type CallMetaOptions,
  type CallTransport,
  captureAuthority,
  type CapturedAuthority,
  type CaptureOptions,
  CodexMcpError,
  compareAuthority,
  inspectProfile,
  isEnvironmentHook,
  type JsonObject,
  type JsonValue,
  type LauncherDecision,
  launcherEnvironment,
  type LauncherEnvironmentOptions,
  type LauncherFacts,
  launcherFor,
  type ModifierOptions,
  type NoLauncherReason,
  type PlanOptions,
  planSandboxedCommand,
  type Platform,
  type PresetOptions,
  type ProfileKind,
  projectDirectory,
  type ProjectDirectoryOptions,
  requireSameAuthority,
  SANDBOX_LAUNCHER_KEY,
  SANDBOX_MODES,
  SANDBOX_STATE_KEY,
  SANDBOX_STATE_META_KEY,
  SandboxError,
  type SandboxErrorCode,
  type SandboxLauncher,
  type SandboxMode,
  type SandboxStateCapability,
  type SpawnRequest,
} from "./core/sandbox/mod.ts";
export {
  type AnyError,
  JsonError,
  type JsonErrorCode,
  ProcessError,
  type ProcessErrorCode,
  SessionError,
  type SessionErrorCode,
} from "./core/errors.ts";
export {
  AuthorityCache,
  type AuthorityCacheOptions,
  type CacheCounts,
  type CachedValue,
  type CacheScope,
} from "./core/sandbox/authority_cache.ts";
