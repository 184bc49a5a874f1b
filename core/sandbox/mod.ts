/**
 * The sandbox contract of a single call, and nothing besides: what a server and a host need each time, small
 * enough to go anywhere. Pure: no I/O, no dependency, any JavaScript runtime.
 *
 * A host builds a call's `_meta` ({@linkcode buildCallMeta}). A server advertises
 * ({@linkcode advertiseSandboxState}), captures ({@linkcode captureAuthority}), plans
 * ({@linkcode planSandboxedCommand}) and compares ({@linkcode compareAuthority}). What is decided around the calls
 * (presets, the choice of a launcher, its environment) is in `@codex-mcp/runtime` itself.
 *
 * @module
 */

export { CodexMcpError, SandboxError, type SandboxErrorCode } from "../errors.ts";
export type { JsonObject, JsonValue } from "../json/value.ts";
export type { SpawnRequest } from "../ports/process.ts";
export type { AuthorityParts, CallTransport, CapturedAuthority } from "./authority.ts";
export { buildCallMeta, type CallMetaOptions } from "./call_meta.ts";
export { acceptsSandboxState, advertiseSandboxState, type SandboxStateCapability } from "./capability.ts";
export { captureAuthority, type CaptureOptions } from "./capture.ts";
export { type PlanOptions, planSandboxedCommand } from "./command.ts";
export { type AuthorityComparison, compareAuthority, requireSameAuthority } from "./compare.ts";
export { SANDBOX_LAUNCHER_KEY, SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "./keys.ts";
export type { SandboxLauncher } from "./launcher.ts";
export type { ModifierOptions } from "./modifiers.ts";
export type { Platform } from "./path.ts";
export { inspectProfile, type ProfileKind } from "./profile.ts";
