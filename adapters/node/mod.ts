/**
 * What this package needs of Node, one function a port. Nothing is read or started at import.
 *
 * Run under Deno these need its permissions: `--allow-run`, and `--allow-read` for the paths that are looked at.
 *
 * @module
 */

export { createFiles } from "./file.ts";
export { createKeyring, type KeyringSecretsChoice, openSecrets } from "./keyring.ts";
export { createProcesses, type ProcessesOptions } from "./process.ts";
export { hostPlatform } from "./host_platform.ts";
export { createSandboxRunner } from "./sandbox_runner.ts";
export { createSendingRuntime, type SendingOptions } from "./sending.ts";
export type { SendingRuntime } from "../http/transport/sending.ts";
export type { LoopbackProxy } from "../http/transport/loopback_proxy.ts";
export { type ExactStdin, exactStdin, type ExactStdinOptions } from "../mcp/server/exact_stdin.ts";
export type { SourceTexts } from "../mcp/server/authority_of.ts";
export { type RelayOptions, relayStdio } from "../mcp/relay/relay.ts";
export type { GrantStore, GrantStoreOptions, GrantStoreSettings } from "../keyring/grant_store.ts";
export type { Keyring, KeyringName, KeyringReason } from "../keyring/keyring.ts";
export type { LockModule } from "../keyring/lock.ts";
export { createMemoryKeyring } from "../keyring/memory.ts";
export type { KeyringOptions } from "../keyring/os_keyring.ts";
export type { KeyringSecrets, KeyringSecretsOptions, ProviderClient } from "../keyring/secrets.ts";
export { ProcessGuard } from "../sandbox/guard.ts";
export type { CommandOptions, RunnerPolicy, SandboxRunner } from "../sandbox/runner.ts";
export type { SandboxResult } from "../sandbox/result.ts";
export type { AdmissionOptions, AdmissionRequest, AdmittedCommand } from "../sandbox/admission.ts";
export { AuthoritySession } from "../sandbox/session.ts";
export type {
  CommandStarter,
  SessionLimits,
  SessionOptions,
  SessionUse,
  StartedCommand,
  StartedProcess,
  StartOptions,
  WaitOptions,
} from "../sandbox/session_options.ts";
export type { SessionEnd, SessionHealth, SessionOutput, SessionReport } from "../sandbox/session_report.ts";
export { AuthoritySessions, type SessionsPolicy } from "../sandbox/sessions.ts";
export type { EndedSignIn, GrantSource, LockedGrants, SignInEnding } from "../http/grants/grant_source.ts";
export type { GrantMarker } from "../../core/enterprise/grant/marker.ts";
export type { GrantRecord } from "../../core/enterprise/grant/record.ts";
export type { JsonObject, JsonValue } from "../../core/json/value.ts";
export type { DigestPort } from "../../core/ports/digest.ts";
export type { FileIdentity, FilePort } from "../../core/ports/file.ts";
export type { KeyringEntry, KeyringPort, KeyringWrite } from "../../core/ports/keyring.ts";
export type {
  ChildProcess,
  ProcessExit,
  ProcessPort,
  SpawnOptions,
  SpawnRequest,
} from "../../core/ports/process.ts";
