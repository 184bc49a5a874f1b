/**
 * The keyring port: small secrets in the operating system's own store.
 *
 * This file decides the shapes only. What a secret holds and how large it may be is decided in
 * `core/enterprise/grant/record.ts`; the lock between processes and the comparison before a deletion are the
 * caller's, who does both between `read` and `write` or `delete`.
 *
 * @module
 */

/** Which item of the keyring. */
export interface KeyringEntry {
  /** Name of the service, the same for all items of this package. */
  readonly service: string;
  /** Name of the item within the service. */
  readonly account: string;
}

/** Keeps secrets. */
export interface KeyringPort {
  /**
   * The secret under `entry`, or `null` when there is no such item.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied, or silent until `signal` is aborted.
   */
  read(entry: KeyringEntry, signal: AbortSignal): Promise<string | null>;
  /**
   * Stores `secret`, replaces what was there, and reads it back.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied, or silent until `signal` is aborted.
   * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when what is read back is not what was written.
   */
  write(entry: KeyringEntry, options: KeyringWrite): Promise<void>;
  /**
   * Deletes the item; `false` when there was none.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied, or silent until `signal` is aborted.
   */
  delete(entry: KeyringEntry, signal: AbortSignal): Promise<boolean>;
}

/** One write. */
export interface KeyringWrite {
  /** What is stored. */
  readonly secret: string;
  /** Ends the waiting for the keyring. */
  readonly signal: AbortSignal;
}
