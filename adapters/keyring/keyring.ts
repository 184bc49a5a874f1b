/**
 * The keyring as the rest of this package sees it: the keyring port, a name for people, and what a lock has to know
 * of requests that were given up while the system was still at them. Shapes only.
 *
 * `os_keyring.ts` is the one of the operating system, `memory.ts` the one that forgets.
 *
 * @module
 */

import type { KeyringPort } from "../../core/ports/keyring.ts";

/** What keeps the secrets, as people know it. */
export type KeyringName = "Secret Service" | "Keychain" | "Credential Manager" | "memory";

/** Why a keyring could not be used: `reason` of the error. */
export type KeyringReason =
  /** No keyring of this system is supported. `KEYRING_ABSENT` */
  | "platform"
  /** The runtime was started without the permission for native code. `KEYRING_ABSENT` */
  | "permission"
  /** The native module is not installed, or has no build for this machine. `KEYRING_ABSENT` */
  | "module"
  /** No session bus, or no Secret Service on it. `KEYRING_ABSENT` */
  | "no-service"
  /** The service has no collection in which new items are kept. `KEYRING_ABSENT` */
  | "no-collection"
  /** No answer within the deadline, or before the caller gave up. `KEYRING_LOCKED` */
  | "silent"
  /** It is locked, and was not unlocked when asked. `KEYRING_LOCKED` */
  | "locked"
  /** It refused. `KEYRING_LOCKED` */
  | "denied"
  /** Several items have the name of ours. `KEYRING_UNRELIABLE` */
  | "ambiguous"
  /** What was read back is not what was written. `KEYRING_UNRELIABLE` */
  | "mismatch";

/** A keyring with a name. */
export interface Keyring extends KeyringPort {
  /** What keeps the secrets, as people know it. */
  describe(): KeyringName;
  /**
   * Resolves when every write and deletion that was given up has come to an end after all; `null` when there is none.
   * Until then the system may still carry it out, so a lock is held on to. Never rejects.
   */
  unsettled(): Promise<void> | null;
}
