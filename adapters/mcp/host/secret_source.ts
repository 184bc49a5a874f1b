/**
 * The secrets that the configuration of a host refers to, read at the moment they are needed: a variable of the host's
 * environment, an item of the keyring, the text of a layer. A host has no standard input of its own.
 *
 * What may stand in a configuration is decided in `core/enterprise/config/secret.ts`.
 *
 * @module
 */

import type { ConfigurationLayer } from "../../../core/enterprise/config/layer.ts";
import { inlineSecret, type SecretReference } from "../../../core/enterprise/config/secret.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { quote } from "../../../core/errors.ts";

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
    const secret = await this.#valueOf(reference);
    if (secret !== null && secret !== "") return secret;
    throw new EnterpriseError("CONFIGURATION_REFUSED", `Cannot read a secret: ${missing(reference)}`, {
      reason: "SECRET_MISSING",
    });
  }

  async #valueOf(reference: SecretReference): Promise<string | null> {
    const { environment, keyring } = this.#options;
    switch (reference.kind) {
      case "environment":
        return Object.hasOwn(environment, reference.name) ? environment[reference.name] ?? null : null;
      case "keyring":
        return await keyring(reference.name, AbortSignal.timeout(KEYRING_MS));
      case "stdin":
        return null;
      case "inline":
        return inlineSecret(this.#layers, reference);
    }
  }
}

function missing(reference: SecretReference): string {
  switch (reference.kind) {
    case "environment":
      return `the environment variable ${reference.name} is not set. Set it.`;
    case "keyring":
      return `the keyring has no item ${quote(reference.name)}. Store it there.`;
    case "stdin":
      return "this host has no standard input. Name a variable or a keyring item.";
    case "inline":
      return "it no longer stands in the configuration.";
  }
}
