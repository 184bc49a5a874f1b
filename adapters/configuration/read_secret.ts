/**
 * One secret that a configuration refers to, read at the moment it is needed: a variable, an item of the keyring, what
 * a person or a script types, or the text of Codex's own file.
 *
 * What may stand in a configuration is decided in `core/enterprise/config/secret.ts`; whose variables, keyring and
 * input these are, by a command (`adapters/cli/enterprise/secret_reader.ts`) or a host
 * (`adapters/mcp/host/configuration/secret_source.ts`).
 *
 * @module
 */

import type { ConfigurationLayer } from "../../core/configuration/layers/layer.ts";
import { inlineSecret, type SecretReference } from "../../core/enterprise/config/secret.ts";
import { EnterpriseError } from "../../core/enterprise/error.ts";
import { quote } from "../../core/errors.ts";

/** Where secrets come from. */
export interface SecretPlaces {
  /** Variables of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The layers that the configuration was read from. */
  readonly layers: readonly ConfigurationLayer[];
  /** The item of the keyring of this name; `null`: there is none. */
  readonly keyring: (name: string) => Promise<string | null>;
  /** What comes on standard input; `null`: there is no standard input to read. */
  readonly typed: (() => Promise<string>) | null;
}

/**
 * Reads a secret. What it throws names the reference, never the value.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when nothing is there.
 * @throws {EnterpriseError} `KEYRING_ABSENT` or `KEYRING_LOCKED` when the keyring cannot be read.
 */
export async function readSecretFrom(reference: SecretReference, places: SecretPlaces): Promise<string> {
  const secret = await valueOf(reference, places);
  if (secret !== null && secret !== "") return secret;
  const state = missing(reference, places);
  throw new EnterpriseError("CONFIGURATION_REFUSED", `Cannot read a secret: ${state}`, {
    reason: "SECRET_MISSING",
  });
}

async function valueOf(
  reference: SecretReference,
  { environment, layers, keyring, typed }: SecretPlaces,
): Promise<string | null> {
  switch (reference.kind) {
    case "environment":
      return Object.hasOwn(environment, reference.name) ? environment[reference.name] ?? null : null;
    case "keyring":
      return await keyring(reference.name);
    case "stdin":
      return typed === null ? null : await typed();
    case "inline":
      return inlineSecret(layers, reference);
  }
}

function missing(reference: SecretReference, { typed }: SecretPlaces): string {
  switch (reference.kind) {
    case "environment":
      return `the environment variable ${reference.name} is not set. Set it.`;
    case "keyring":
      return `the keyring has no item ${quote(reference.name)}. Store it there.`;
    case "stdin":
      return typed === null
        ? "this host has no standard input. Name a variable or a keyring item."
        : "nothing came on standard input.";
    case "inline":
      return "it no longer stands in the configuration.";
  }
}
