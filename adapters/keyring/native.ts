/**
 * What is used of the native module `@napi-rs/keyring`, and how its refusals are told. The module's own errors may
 * quote what they were about, so none is kept: only the name of its class is.
 *
 * `os_keyring.ts` decides when it is loaded and called. What a person does about a refusal is said where a command ends
 * with it (`adapters/cli/enterprise/advice.ts`), and not here too.
 *
 * @module
 */

import type { AsyncEntry } from "@napi-rs/keyring";
import { EnterpriseError, type EnterpriseErrorCode } from "../../core/enterprise/error.ts";
import type { KeyringName, KeyringReason } from "./keyring.ts";

/** One item, as the native module has it. */
export type NativeEntry = Pick<AsyncEntry, "getSecret" | "setSecret" | "deleteCredential">;

/** The native module. */
export interface NativeKeyring {
  /** Makes an entry; on Linux only with the store named, since the default falls back to the kernel's keyring. */
  readonly AsyncEntry: new (
    service: string,
    account: string,
    options?: { linux?: { store?: "secret-service" | "keyutils" } },
  ) => NativeEntry;
}

const CODES: Readonly<Record<KeyringReason, EnterpriseErrorCode>> = {
  platform: "KEYRING_ABSENT",
  permission: "KEYRING_ABSENT",
  module: "KEYRING_ABSENT",
  "no-service": "KEYRING_ABSENT",
  "no-collection": "KEYRING_ABSENT",
  silent: "KEYRING_LOCKED",
  locked: "KEYRING_LOCKED",
  denied: "KEYRING_LOCKED",
  ambiguous: "KEYRING_UNRELIABLE",
  mismatch: "KEYRING_UNRELIABLE",
};

const STATES: Readonly<Record<KeyringReason, string>> = {
  platform: "this system has none that is supported",
  permission: "Deno was started without --allow-ffi",
  module: "the module @napi-rs/keyring is not installed for this machine",
  "no-service": "it is not running in this session",
  "no-collection": "it has no default collection",
  silent: "it does not answer",
  locked: "it is locked",
  denied: "it refused",
  ambiguous: "several items have the same name",
  mismatch: "what was stored could not be read back",
};

/** What a {@linkcode keyringError} may add. */
export interface KeyringErrorOptions {
  /** What was thrown; only its name is kept. */
  readonly cause?: unknown;
}

/**
 * The error for a keyring that could not be used. Its message is the state alone. `"keyring"`: which one is not
 * known.
 */
export function keyringError(
  name: KeyringName | "keyring",
  reason: KeyringReason,
  options: KeyringErrorOptions = {},
): EnterpriseError {
  const which = name === "keyring" ? "the keyring" : `the keyring "${name}"`;
  return new EnterpriseError(CODES[reason], `Cannot use ${which}: ${STATES[reason]}`, {
    reason,
    ...("cause" in options ? { cause: redact(options.cause) } : {}),
  });
}

/** What may be kept of an error that could quote a secret: the name of its class. */
export function redact(error: unknown): { readonly name: string } {
  const name = error instanceof Error ? error.name : typeof error;
  return { name: /^\w{1,40}$/.test(name) ? name : "Error" };
}

/** Why the native module refused a read, a write or a deletion. Its errors have a text, and no code of their own. */
export function refusalReason(error: unknown): KeyringReason {
  const text = error instanceof Error ? error.message : "";
  if (/\bambiguous\b|matched by multiple/i.test(text)) return "ambiguous";
  if (/no result found/i.test(text)) return "no-collection";
  if (/was not provided by any|ServiceUnknown|NameHasNoOwner|Failed to connect to socket/i.test(text)) {
    return "no-service";
  }
  if (/did not receive a reply|NoReply|timed? ?out/i.test(text)) return "silent";
  return /dismissed|\block(?:ed)?\b|interaction is not allowed|user canceled/i.test(text)
    ? "locked"
    : "denied";
}
