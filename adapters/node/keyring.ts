/**
 * The keyring, and what this package keeps in it, on Node. `adapters/deno/keyring.ts` is the same for Deno.
 *
 * This file decides how Node loads the native module and the lock, and where its environment says that things are.
 * Everything else is in `adapters/keyring/`.
 *
 * @module
 */

import { webcrypto } from "node:crypto";
import process from "node:process";
import type { GrantStoreSettings } from "../keyring/grant_store.ts";
import type { Keyring } from "../keyring/keyring.ts";
import type { NativeKeyring } from "../keyring/native.ts";
import { type KeyringOptions, OsKeyring, type OsKeyringOptions } from "../keyring/os_keyring.ts";
import { KeyringSecrets } from "../keyring/secrets.ts";
import { stateFolder } from "../keyring/state_folder.ts";

/** Where and how secrets are kept. */
export interface KeyringSecretsChoice extends GrantStoreSettings {
  /** The keyring; that of the operating system when absent. */
  readonly keyring?: Keyring;
  /** An absolute path of the folder for markers and locks; the user's own when absent. */
  readonly folder?: string;
}

/** Computed, so that no bundler takes native code in and nothing is loaded before it is needed. */
const MODULES = {
  keyring: "@napi-rs/keyring",
  lock: "@rushstack/node-core-library/lib/LockFile",
} as const;

/**
 * Creates the keyring of the operating system: Secret Service on Linux, Keychain on macOS, Credential Manager on
 * Windows. Nothing is loaded or asked before its first use. Never falls back to another store.
 *
 * The package `@napi-rs/keyring` must be installed; without it its use is `KEYRING_ABSENT`.
 */
export function createKeyring(options: KeyringOptions = {}): Keyring {
  return new OsKeyring({
    ...options,
    platform: platform(),
    load: async () => await import(MODULES.keyring) as NativeKeyring,
    bus: () => ({
      address: process.env["DBUS_SESSION_BUS_ADDRESS"],
      runtimeFolder: process.env["XDG_RUNTIME_DIR"],
    }),
  });
}

/**
 * Opens what this package keeps: grants and the secrets that a configuration names. Nothing is read, made or loaded
 * before its first use. The package `@rushstack/node-core-library` must be installed; without it nothing can be
 * locked, and so no grant be used.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when no folder is given and the environment names no home.
 */
export function openSecrets(choice: KeyringSecretsChoice = {}): KeyringSecrets {
  return new KeyringSecrets({
    ...choice,
    keyring: choice.keyring ?? createKeyring(),
    folder: choice.folder ?? stateFolder({ platform: platform(), variable: (name) => process.env[name] }),
    digest: { sha256: async (bytes) => new Uint8Array(await webcrypto.subtle.digest("SHA-256", bytes)) },
    loadLock,
  });
}

async function loadLock(): Promise<typeof import("@rushstack/node-core-library/lib/LockFile")> {
  return await import(MODULES.lock);
}

function platform(): OsKeyringOptions["platform"] {
  if (process.platform === "win32") return "windows";
  return process.platform === "linux" || process.platform === "darwin" ? process.platform : "other";
}
