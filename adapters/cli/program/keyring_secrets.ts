/**
 * The keyring as the command line sees it: the sign-ins, and secrets that a configuration names. The entry file of a
 * runtime opens it.
 *
 * What the store does and the keyring's own rules are decided in `adapters/keyring/`.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { GrantSource } from "../../http/grants/grant_source.ts";

/** What the keyring holds for the command line. */
export interface SecretStore {
  /** Name of the keyring, for people. */
  readonly backend: string;
  /** The grants of our client at `provider`. */
  grants(provider: EnterpriseProvider): Promise<GrantSource>;
  /**
   * The secret that a configuration names `{ keyring = name }`; `null`: there is none.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
   */
  secret(name: string, signal: AbortSignal): Promise<string | null>;
}
