/**
 * How a client authenticates itself in one request: one method, one credential, read when it is needed.
 *
 * Which method is used is decided in `core/enterprise/client_authentication.ts`; how a method is written
 * into the request is oauth4webapi's (`client_secret_basic` form-encodes both parts). Private keys are read in
 * `_private_key.ts`. RFC 6749, 2.3.1; RFC 7523, 2.2; OpenID Connect Core 1.0, 9.
 *
 * @module
 */

import * as oauth from "oauth4webapi";
import { chooseClientMethod, type ClientMethod } from "../../../core/enterprise/client_authentication.ts";
import type { ClientConfiguration } from "../../../core/enterprise/config/client.ts";
import type { SecretReference } from "../../../core/enterprise/config/secret.ts";
import type { ServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { refusalError } from "../../../core/enterprise/verdict.ts";
import { unlessAborted } from "../../async/unless_aborted.ts";
import { readPrivateKey } from "./_private_key.ts";
import type { SecretReader } from "./secret_reader.ts";

/** How a client authenticates itself. */
export interface ClientAuthOptions {
  /** The method. */
  readonly method: ClientMethod;
  /** Reads the secret or the private key. Not called for `none`. */
  readonly readSecret: SecretReader;
  /** Ends the waiting for it. */
  readonly signal: AbortSignal;
}

/**
 * What oauth4webapi needs to authenticate `client`. The secret is read once, now, and is in nothing but the value
 * that comes back. A private key is a JWK (JSON) or PKCS#8 (PEM); a JWK's `kid` is sent.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when the method's credential is missing, empty or unreadable.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when the signal is aborted before it comes.
 */
export async function clientAuth(
  client: ClientConfiguration,
  options: ClientAuthOptions,
): Promise<oauth.ClientAuth> {
  switch (options.method) {
    case "none":
      return oauth.None();
    case "client_secret_basic":
      return oauth.ClientSecretBasic(await secretOf(client.secret, options));
    case "client_secret_post":
      return oauth.ClientSecretPost(await secretOf(client.secret, options));
    case "private_key_jwt": {
      const key = await readPrivateKey(await secretOf(client.privateKey, options));
      if (key !== null) return oauth.PrivateKeyJwt(key);
      throw refused("PRIVATE_KEY_UNREADABLE", "its private key is no private JWK and no PKCS#8 in PEM");
    }
  }
}

/**
 * The method that `client` uses at the server of `metadata`: the configured one, else the first that both know.
 *
 * @throws {EnterpriseError} `CLIENT_REFUSED` when the metadata lists methods, and none that fits.
 */
export function clientMethodAt(
  client: ClientConfiguration,
  metadata: Pick<ServerMetadata, "clientMethods">,
): ClientMethod {
  const verdict = chooseClientMethod({
    configured: client.method,
    credential: client.privateKey !== null ? "private-key" : client.secret !== null ? "secret" : "none",
    supported: metadata.clientMethods,
  });
  if (verdict.accepted) return verdict.value;
  throw refusalError(verdict.refusal, { code: "CLIENT_REFUSED" });
}

async function secretOf(
  reference: SecretReference | null,
  { method, readSecret, signal }: ClientAuthOptions,
): Promise<string> {
  if (reference === null) throw refused("METHOD_WITHOUT_SECRET", `${method} needs a credential`);
  const secret = await unlessAborted(() => readSecret(reference, signal), signal).catch((error: unknown) => {
    throw signal.aborted && !(error instanceof EnterpriseError) ? notInTime(signal) : error;
  });
  if (secret !== "") return secret;
  throw refused("FIELD_EMPTY", "its secret is empty");
}

function notInTime({ reason }: AbortSignal): EnterpriseError {
  const message = "Cannot authenticate the client: its secret did not come in time";
  const deadline = reason instanceof Error && reason.name === "TimeoutError";
  return new EnterpriseError("TEMPORARILY_UNAVAILABLE", message, {
    reason: deadline ? "deadline" : "aborted",
  });
}

function refused(reason: string, state: string): EnterpriseError {
  return new EnterpriseError("CONFIGURATION_REFUSED", `Cannot authenticate the client: ${state}`, { reason });
}
