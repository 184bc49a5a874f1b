/**
 * Whether a client registration of the configuration can be used: the method of authentication that it and the server
 * know, and a secret that is where the configuration says. The secret is read, and goes nowhere.
 *
 * @module
 */

import { chooseClientMethod } from "../../../core/enterprise/client_authentication.ts";
import type { ClientConfiguration } from "../../../core/enterprise/config/client.ts";
import type { ServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import { refusalError } from "../../../core/enterprise/verdict.ts";
import type { SecretReader } from "../../http/client/secret_reader.ts";
import { failedFinding } from "./failed_finding.ts";
import type { Finding } from "./finding.ts";

/**
 * What is to be said about the method, for the end of a sentence.
 *
 * @throws {EnterpriseError} `CLIENT_REFUSED` when the metadata lists methods, and none that fits.
 */
export function methodText(
  { method, secret, privateKey }: ClientConfiguration,
  { clientMethods: supported }: Pick<ServerMetadata, "clientMethods">,
): string {
  const credential = privateKey !== null ? "private-key" : secret !== null ? "secret" : "none";
  const verdict = chooseClientMethod({ configured: method, credential, supported });
  if (!verdict.accepted) throw refusalError(verdict.refusal, { code: "CLIENT_REFUSED" });
  if (verdict.value === "none") return "the client is a public one";
  const listed = supported === null ? "which it neither lists nor rules out" : "which it lists";
  return `the client authenticates by ${verdict.value}, ${listed}`;
}

/** Whether the secret is there; nothing for a client that has none. One from standard input is not asked for. */
export async function checkSecret(
  { secret, privateKey }: Pick<ClientConfiguration, "secret" | "privateKey">,
  { subject, field, readSecret, signal }: {
    /** Whose client it is. */
    readonly subject: string;
    /** The table of the configuration. */
    readonly field: string;
    readonly readSecret: SecretReader;
    readonly signal: AbortSignal;
  },
): Promise<readonly Finding[]> {
  const about = { id: "client-secret", subject };
  const reference = privateKey ?? secret;
  if (reference === null) return [];
  if (reference.kind === "stdin") {
    return [{ ...about, status: "skipped", found: "it comes from standard input" }];
  }
  try {
    await readSecret(reference, signal);
    return [{ ...about, status: "ok", found: `it is there (${PLACES[reference.kind]})` }];
  } catch (error) {
    return [failedFinding(error, { ...about, field })];
  }
}

const PLACES = {
  environment: "in a variable",
  keyring: "in the keyring",
  inline: "in the configuration itself, where it should not be",
} as const;
