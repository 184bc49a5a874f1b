/**
 * Everything that this package keeps in a keyring, behind one door: the grants of each client at an identity provider,
 * and the secrets that a configuration names, which people store with the tools of their system.
 *
 * How grants are kept is decided in `grant_store.ts`. `adapters/deno/keyring.ts` and `adapters/node/keyring.ts` open
 * the door.
 *
 * @module
 */

import { providerKey } from "../../core/enterprise/grant/key.ts";
import type { DigestPort } from "../../core/ports/digest.ts";
import { GrantStore, type GrantStoreOptions } from "./grant_store.ts";
import type { Keyring, KeyringName } from "./keyring.ts";

/** Name of the service of secrets that a configuration names; the item's account is the name that it gives. */
export const SECRET_SERVICE = "codex-mcp-secret";

/** What the secrets are kept with. */
export interface KeyringSecretsOptions extends Omit<GrantStoreOptions, "provider"> {
  /** Computes digests. */
  readonly digest: DigestPort;
}

/** Our client at an identity provider, as a configuration has it. */
export interface ProviderClient {
  /** The issuer, verbatim. */
  readonly issuer: string;
  /** The client. */
  readonly client: { readonly clientId: string };
}

/** What lies in the keyring. One for a program. */
export class KeyringSecrets {
  /** Name of the keyring, for people. */
  readonly backend: KeyringName;
  readonly #options: KeyringSecretsOptions;
  readonly #stores: Map<string, GrantStore> = new Map();

  /** Creates it; nothing is read, made or loaded yet. */
  constructor(options: KeyringSecretsOptions) {
    this.#options = options;
    this.backend = options.keyring.describe();
  }

  /** The keyring itself. */
  get keyring(): Keyring {
    return this.#options.keyring;
  }

  /** The grants of our client at `provider`: the same store for the same client. */
  async grants(provider: ProviderClient): Promise<GrantStore> {
    const { digest, ...options } = this.#options;
    const key = await providerKey(
      { issuer: provider.issuer, clientId: provider.client.clientId },
      digest,
    );
    const known = this.#stores.get(key) ?? new GrantStore({ ...options, provider: key });
    this.#stores.set(key, known);
    return known;
  }

  /**
   * The secret that a configuration names `{ keyring = name }`; `null`: there is none.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
   */
  secret(name: string, signal: AbortSignal): Promise<string | null> {
    return this.#options.keyring.read({ service: SECRET_SERVICE, account: name }, signal);
  }
}
