/**
 * How a secret of the configuration becomes a value: a host gives the function, which reads an environment variable, a
 * keyring item, standard input or the text of its own configuration. It is called when the secret is needed, and its
 * answer is kept no longer than the request. Nobody waits for it longer than for the request.
 *
 * The references are read in `core/enterprise/config/secret.ts`; `client_authentication.ts` calls the function.
 *
 * @module
 */

import type { SecretReference } from "../../../core/enterprise/config/secret.ts";

/**
 * Reads the secret that `reference` names, without a line end. It rejects with an `EnterpriseError`:
 * `CONFIGURATION_REFUSED` when nothing is there, `KEYRING_ABSENT` or `KEYRING_LOCKED` when the keyring cannot be
 * read. Its errors name the reference, never the value. When `signal` is aborted, its answer is no longer waited for.
 */
export type SecretReader = (reference: SecretReference, signal: AbortSignal) => Promise<string>;
