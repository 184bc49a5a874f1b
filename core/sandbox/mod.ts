/**
 * Sandbox request metadata: the contract between an MCP host and its servers, and the captured authority behind
 * every tool call. Pure: no I/O, no dependency, any JavaScript runtime.
 *
 * A host decides on a launcher ({@linkcode launcherFor}) and builds a call's `_meta`
 * ({@linkcode buildCallMeta}). A server advertises ({@linkcode advertiseSandboxState}), captures
 * ({@linkcode captureAuthority}), plans ({@linkcode planSandboxedCommand}) and compares
 * ({@linkcode compareAuthority}).
 *
 * @module
 */

export { CodexMcpError, SandboxError, type SandboxErrorCode } from "../errors.ts";
export type { JsonObject, JsonValue } from "../json/value.ts";
export type { SpawnRequest } from "../ports/process.ts";
export type { CallTransport, CapturedAuthority } from "./authority.ts";
export { buildCallMeta, type CallMetaOptions } from "./call_meta.ts";
export { acceptsSandboxState, advertiseSandboxState, type SandboxStateCapability } from "./capability.ts";
export { captureAuthority, type CaptureOptions } from "./capture.ts";
export { type PlanOptions, planSandboxedCommand } from "./command.ts";
export { type AuthorityComparison, compareAuthority, requireSameAuthority } from "./compare.ts";
export { isEnvironmentHook, launcherEnvironment, type LauncherEnvironmentOptions } from "./environment.ts";
export { SANDBOX_LAUNCHER_KEY, SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "./keys.ts";
export {
  type LauncherDecision,
  type LauncherFacts,
  launcherFor,
  type NoLauncherReason,
  type SandboxLauncher,
} from "./launcher.ts";
export type { ModifierOptions } from "./modifiers.ts";
export type { Platform } from "./path.ts";
export { buildSandboxState, type PresetOptions, SANDBOX_MODES, type SandboxMode } from "./presets.ts";
export { inspectProfile, type ProfileKind } from "./profile.ts";
export { projectDirectory, type ProjectDirectoryOptions } from "./project_directory.ts";
