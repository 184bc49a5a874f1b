/**
 * The secrets that the configuration of a host refers to: its variables, its keyring, and the layers in force. A host
 * has no standard input of its own.
 *
 * How one is read, and what is said when it is not there, is decided in `adapters/configuration/read_secret.ts`.
 *
 * @module
 */

import type { ConfigurationLayer } from "../../../../core/configuration/layers/layer.ts";
import type { SecretReference } from "../../../../core/enterprise/config/secret.ts";
import { readSecretFrom } from "../../../configuration/read_secret.ts";

/** Where secrets come from. */
export interface SecretSourceOptions {
  /** Variables of the host. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The item of the keyring of this name; `null`: there is none. */
  readonly keyring: (name: string, signal: AbortSignal) => Promise<string | null>;
}

/** How long the keyring may take, in milliseconds. A person may have to unlock it. */
const KEYRING_MS = 60_000;

/** The secrets of a host. */
export class SecretSource {
  readonly #options: SecretSourceOptions;
  #layers: readonly ConfigurationLayer[] = [];

  /** Knows no layer yet. */
  constructor(options: SecretSourceOptions) {
    this.#options = options;
  }

  /** Takes the layers of the configuration in force. */
  useLayers(layers: readonly ConfigurationLayer[]): void {
    this.#layers = layers;
  }

  /**
   * Reads a secret. What it throws names the reference, never the value.
   *
   * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when nothing is there.
   * @throws {EnterpriseError} `KEYRING_ABSENT` or `KEYRING_LOCKED` when the keyring cannot be read.
   */
  async read(reference: SecretReference): Promise<string> {
    const { environment, keyring } = this.#options;
    return await readSecretFrom(reference, {
      environment,
      layers: this.#layers,
      keyring: (name) => keyring(name, AbortSignal.timeout(KEYRING_MS)),
      typed: null,
    });
  }
}
