/**
 * Secrets that the configuration refers to, read at the moment they are needed: a variable of this process, an item of
 * the keyring, a line of standard input, or the text of Codex's own file.
 *
 * What may stand in a configuration is decided in `core/enterprise/config/secret.ts`.
 *
 * @module
 */

import type { ConfigurationLayer } from "../../../core/enterprise/config/layer.ts";
import { inlineSecret, type SecretReference } from "../../../core/enterprise/config/secret.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { quote } from "../../../core/errors.ts";
import type { SecretReader } from "../../http/secret.ts";
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
  return async (reference, signal) => {
    const secret = await valueOf(reference, signal);
    if (secret !== null && secret !== "") return secret;
    throw new EnterpriseError("CONFIGURATION_REFUSED", `Cannot read a secret: ${missing(reference)}`, {
      reason: "SECRET_MISSING",
    });
  };

  function typedOnce(reference: SecretReference): Promise<string> {
    const known = typed.get(reference) ?? input.secret("The client secret");
    typed.set(reference, known);
    return known;
  }

  async function valueOf(reference: SecretReference, signal: AbortSignal): Promise<string | null> {
    switch (reference.kind) {
      case "environment":
        return Object.hasOwn(environment, reference.name) ? environment[reference.name] ?? null : null;
      case "keyring":
        return await keyring(reference.name, signal);
      case "stdin":
        return await typedOnce(reference);
      case "inline":
        return inlineSecret(layers, reference);
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
      return "nothing came on standard input.";
    case "inline":
      return "it no longer stands in the configuration.";
  }
}
