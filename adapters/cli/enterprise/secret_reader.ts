/**
 * The secrets that the configuration refers to, for one command: its variables, the system's keyring, and standard
 * input, of which each secret is asked for once.
 *
 * How one is read, and what is said when it is not there, is decided in `adapters/configuration/read_secret.ts`.
 *
 * @module
 */

import type { ConfigurationLayer } from "../../../core/configuration/layers/layer.ts";
import type { SecretReference } from "../../../core/enterprise/config/secret.ts";
import { readSecretFrom } from "../../configuration/read_secret.ts";
import type { SecretReader } from "../../http/client/secret_reader.ts";
import type { TypedInput } from "./typed_input.ts";

/** Where secrets come from. */
export interface SecretSources {
  /** Variables of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** The layers that the configuration was read from. */
  readonly layers: readonly ConfigurationLayer[];
  /** Standard input. */
  readonly input: TypedInput;
  /** The item of the keyring of this name; `null`: there is none. */
  readonly keyring: (name: string, signal: AbortSignal) => Promise<string | null>;
}

/** Reads secrets from these sources. What it throws names the reference, never the value. */
export function secretReader({ environment, layers, input, keyring }: SecretSources): SecretReader {
  // what comes once is kept for this command, under the very reference: two of them are two lines
  const typed = new Map<SecretReference, Promise<string>>();
  const typedOnce = (reference: SecretReference): Promise<string> => {
    const known = typed.get(reference) ?? input.secret("The client secret");
    typed.set(reference, known);
    return known;
  };
  return async (reference, signal) =>
    await readSecretFrom(reference, {
      environment,
      layers,
      keyring: (name) => keyring(name, signal),
      typed: () => typedOnce(reference),
    });
}
