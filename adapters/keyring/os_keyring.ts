/**
 * The keyring of the operating system over the native module `@napi-rs/keyring`: Secret Service on Linux, Keychain on
 * macOS, Credential Manager on Windows. Both runtimes share it; `adapters/deno/keyring.ts` and
 * `adapters/node/keyring.ts` say how the module is loaded.
 *
 * It decides that on Linux the Secret Service is always named, so that nothing ever goes to the kernel's keyring
 * instead, that the service is asked whether it answers before the module is, and that secrets are bytes: as text a
 * credential of Windows would hold half as much. Refusals are told by `native.ts`.
 *
 * @module
 */

import type { KeyringEntry, KeyringWrite } from "../../core/ports/keyring.ts";
import { within } from "./_deadline.ts";
import type { Keyring, KeyringName, KeyringReason } from "./keyring.ts";
import { keyringError, type NativeEntry, type NativeKeyring, refusalReason } from "./native.ts";
import { type BusPlace, probeSecretService } from "./secret_service.ts";

/** How long the keyring may take. */
export interface KeyringOptions {
  /** Seconds within which a Secret Service must say that it is there; 5 when absent. */
  readonly probeSeconds?: number;
  /** Seconds for one read, write or deletion, in which a person may be asked for a password; 120 when absent. */
  readonly answerSeconds?: number;
}

/** What a runtime brings. */
export interface OsKeyringOptions extends KeyringOptions {
  /** The platform. `"other"` has no keyring that is supported. */
  readonly platform: "linux" | "darwin" | "windows" | "other";
  /**
   * Loads the native module, when it is needed first.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the runtime does not permit it.
   */
  readonly load: () => Promise<NativeKeyring>;
  /** Where the session bus is now. Asked on Linux alone. */
  readonly bus: () => BusPlace;
}

const NAMES: Readonly<Record<Exclude<OsKeyringOptions["platform"], "other">, KeyringName>> = {
  linux: "Secret Service",
  darwin: "Keychain",
  windows: "Credential Manager",
};

/** The keyring of the operating system. */
export class OsKeyring implements Keyring {
  readonly #options: OsKeyringOptions;
  readonly #pending: Set<Promise<void>> = new Set();
  #native: Promise<NativeKeyring> | null = null;

  /** Creates it; nothing is loaded or asked yet. */
  constructor(options: OsKeyringOptions) {
    this.#options = options;
  }

  /** What keeps the secrets, as people know it. On a system without one: the name of Linux's. */
  describe(): KeyringName {
    const { platform } = this.#options;
    return platform === "other" ? "Secret Service" : NAMES[platform];
  }

  /** Resolves when what was given up has ended; `null` when nothing was. */
  unsettled(): Promise<void> | null {
    return this.#pending.size === 0 ? null : Promise.all(this.#pending).then(() => undefined);
  }

  /**
   * The secret under `entry`, or `null` when there is no such item.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used; `reason` says why.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied, or silent; `reason` says which.
   * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when several items have this name.
   */
  async read(entry: KeyringEntry, signal: AbortSignal): Promise<string | null> {
    const native = await this.#open(entry, signal);
    return await this.#read(native, signal);
  }

  /**
   * Stores `secret`, replaces what was there, and reads it back.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used; `reason` says why.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied, or silent; `reason` says which.
   * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when what is read back is not what was written.
   */
  async write(entry: KeyringEntry, { secret, signal }: KeyringWrite): Promise<void> {
    const native = await this.#open(entry, signal);
    await this.#answer(() => native.setSecret(new TextEncoder().encode(secret)), { signal, changes: true });
    if (await this.#read(native, signal) !== secret) throw this.#error("mismatch");
  }

  /**
   * Deletes the item; `false` when there was none.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used; `reason` says why.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied, or silent; `reason` says which.
   * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when several items have this name.
   */
  async delete(entry: KeyringEntry, signal: AbortSignal): Promise<boolean> {
    const native = await this.#open(entry, signal);
    return await this.#answer(() => native.deleteCredential(), { signal, changes: true });
  }

  async #read(native: NativeEntry, signal: AbortSignal): Promise<string | null> {
    const bytes = await this.#answer(() => native.getSecret(), { signal, changes: false });
    return bytes === null ? null : new TextDecoder().decode(Uint8Array.from(bytes));
  }

  /** The entry in the native module, once the keyring has said that it is there. */
  async #open({ service, account }: KeyringEntry, signal: AbortSignal): Promise<NativeEntry> {
    const { platform } = this.#options;
    if (platform === "other") throw this.#error("platform");
    if (signal.aborted) throw this.#error("silent");
    const native = await this.#load();
    if (platform === "linux") await this.#probe(signal);
    try {
      return platform === "linux"
        ? new native.AsyncEntry(service, account, { linux: { store: "secret-service" } })
        : new native.AsyncEntry(service, account);
    } catch (error) {
      throw this.#error(platform === "linux" ? "no-service" : refusalReason(error), { cause: error });
    }
  }

  #load(): Promise<NativeKeyring> {
    this.#native ??= this.#options.load().catch((error: unknown) => {
      this.#native = null;
      const known = error instanceof Error && error.name === "EnterpriseError";
      throw known ? error : this.#error("module", { cause: error });
    });
    return this.#native;
  }

  async #probe(signal: AbortSignal): Promise<void> {
    const deadline = new AbortController();
    const giveUp = (): void => deadline.abort();
    const timer = setTimeout(giveUp, (this.#options.probeSeconds ?? 5) * 1000);
    signal.addEventListener("abort", giveUp, { once: true });
    let verdict = await probeSecretService(this.#options.bus(), deadline.signal);
    // a service that has only just begun, or is busy, may not name its collection yet
    for (let again = 0; verdict === "no-collection" && again < 3; again++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      verdict = await probeSecretService(this.#options.bus(), deadline.signal);
    }
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    if (verdict !== "ready" && verdict !== "unknown") throw this.#error(verdict);
  }

  /** The native module cannot be stopped: what takes too long is left behind, and remembered if it changes anything. */
  async #answer<T>(
    ask: () => Promise<T>,
    { signal, changes }: { readonly signal: AbortSignal; readonly changes: boolean },
  ): Promise<T> {
    const work = (async () => await ask())();
    const ended = work.then(() => undefined, () => undefined).finally(() => this.#pending.delete(ended));
    if (changes) this.#pending.add(ended);
    try {
      return await within(work, {
        signal,
        seconds: this.#options.answerSeconds ?? 120,
        expired: () => this.#error("silent"),
      });
    } catch (error) {
      throw error instanceof Error && error.name === "EnterpriseError"
        ? error
        : this.#error(refusalReason(error), { cause: error });
    }
  }

  #error(reason: KeyringReason, options: { readonly cause?: unknown } = {}): Error {
    return keyringError(this.#options.platform === "other" ? "keyring" : this.describe(), reason, options);
  }
}
