/**
 * The keyring, and what this package keeps in it, on Deno. `adapters/node/keyring.ts` is the same for Node.
 *
 * This file decides how Deno loads the native module and the lock, which permission it asks after, and where its
 * environment says that things are. Everything else is in `adapters/keyring/`.
 *
 * @module
 */

import type { GrantStoreSettings } from "../keyring/grant_store.ts";
import type { Keyring } from "../keyring/keyring.ts";
import { keyringError, type NativeKeyring } from "../keyring/native.ts";
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
  keyring: "npm:@napi-rs/keyring@^2",
  lock: "npm:@rushstack/node-core-library@^5/lib/LockFile",
} as const;

/**
 * Creates the keyring of the operating system: Secret Service on Linux, Keychain on macOS, Credential Manager on
 * Windows. Nothing is loaded or asked before its first use. Never falls back to another store.
 *
 * Permissions: `--allow-ffi`, `--allow-env`, `--allow-read`; on Linux also `--allow-write` and `--allow-net` for the
 * socket of the session bus. Without `--allow-ffi` its use is `KEYRING_ABSENT`; Deno is not made to prompt for it.
 */
export function createKeyring(options: KeyringOptions = {}): Keyring {
  return new OsKeyring({
    ...options,
    platform: platform(),
    load: loadKeyring,
    bus: () => ({
      address: Deno.env.get("DBUS_SESSION_BUS_ADDRESS"),
      runtimeFolder: Deno.env.get("XDG_RUNTIME_DIR"),
    }),
  });
}

/**
 * Opens what this package keeps: grants and the secrets that a configuration names. Nothing is read, made or loaded
 * before its first use.
 *
 * Permissions: those of {@linkcode createKeyring}, `--allow-write` for the folder, `--allow-sys` and, for the lock,
 * `--allow-run=ps` on Linux and macOS.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when no folder is given and the environment names no home.
 */
export function openSecrets(choice: KeyringSecretsChoice = {}): KeyringSecrets {
  return new KeyringSecrets({
    ...choice,
    keyring: choice.keyring ?? createKeyring(),
    folder: choice.folder ?? stateFolder({ platform: platform(), variable: (name) => Deno.env.get(name) }),
    digest: { sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) },
    loadLock,
  });
}

async function loadKeyring(): Promise<NativeKeyring> {
  const { state } = await Deno.permissions.query({ name: "ffi" });
  if (state !== "granted") throw keyringError("keyring", "permission");
  return await import(MODULES.keyring) as NativeKeyring;
}

async function loadLock(): Promise<typeof import("@rushstack/node-core-library/lib/LockFile")> {
  return await import(MODULES.lock);
}

function platform(): OsKeyringOptions["platform"] {
  const { os } = Deno.build;
  return os === "linux" || os === "darwin" || os === "windows" ? os : "other";
}
