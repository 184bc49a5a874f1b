/**
 * One client registration of the configuration: its id, its credential as a reference, its method. The identity
 * provider's client and the authorization server's are two registrations; neither lends the other anything.
 *
 * Which method is used when none is configured is decided in `core/enterprise/client_authentication.ts`.
 * OpenID Connect Core 1.0, 9; RFC 6749, 2.3; RFC 7523, 2.2.
 *
 * @module
 */

import { CLIENT_METHODS, type ClientMethod } from "../client_authentication.ts";
import type { SecretReference } from "./secret.ts";
import { rawOf, report, requiredText, secretOf, type Table, textOf } from "./table.ts";

/** A client registration. */
export interface ClientConfiguration {
  /** The client id, verbatim. */
  readonly clientId: string;
  /** Where its secret is; `null`: it has none. */
  readonly secret: SecretReference | null;
  /** Where its private key is (for `private_key_jwt`); `null`: it has none. */
  readonly privateKey: SecretReference | null;
  /** The configured method; `null`: chosen from the metadata. */
  readonly method: ClientMethod | null;
}

/** The fields of a client registration. */
export const CLIENT_FIELDS: readonly string[] = [
  "client_id",
  "client_secret",
  "private_key",
  "token_endpoint_auth_method",
];

/**
 * Reads the registration in `table`; `null` when a fault makes it unusable. Checked in this order: secret without
 * client id, client id, secret, key, method, and how they go together.
 */
export function readClient(table: Table): ClientConfiguration | null {
  const before = table.findings.faults.length;
  const given = (field: string): boolean => rawOf(table, field) !== undefined;
  const orphan = ["client_secret", "private_key"].find(given);
  if (!given("client_id") && orphan !== undefined) {
    report(table, ["SECRET_WITHOUT_CLIENT_ID", orphan, "there is no client_id that it belongs to."]);
  }
  const clientId = requiredText(table, "client_id");
  const secret = secretOf(table, "client_secret");
  const privateKey = secretOf(table, "private_key");
  const method = methodOf(table);
  checkMethod(table, { method, secret: given("client_secret"), privateKey: given("private_key") });
  if (clientId === null || table.findings.faults.length > before) return null;
  return { clientId, secret, privateKey, method };
}

function methodOf(table: Table): ClientMethod | null {
  const text = textOf(table, "token_endpoint_auth_method");
  const method = CLIENT_METHODS.find((known) => known === text) ?? null;
  if (text !== null && method === null) {
    report(table, [
      "METHOD_UNKNOWN",
      "token_endpoint_auth_method",
      `use one of ${CLIENT_METHODS.join(", ")}.`,
    ]);
  }
  return method;
}

interface MethodFacts {
  readonly method: ClientMethod | null;
  readonly secret: boolean;
  readonly privateKey: boolean;
}

function checkMethod(table: Table, { method, secret, privateKey }: MethodFacts): void {
  if (secret && privateKey) {
    report(table, [
      "SECRET_WITHOUT_METHOD",
      "private_key",
      "there is a client_secret too, and a request carries one credential.",
    ]);
    return;
  }
  const field = "token_endpoint_auth_method";
  if ((method === "client_secret_basic" || method === "client_secret_post") && !secret) {
    report(table, ["METHOD_WITHOUT_SECRET", field, "it needs a client_secret, and there is none."]);
  }
  if (method === "private_key_jwt" && !privateKey) {
    report(table, ["METHOD_WITHOUT_SECRET", field, "it needs a private_key, and there is none."]);
  }
  if (secret && (method === "none" || method === "private_key_jwt")) {
    report(table, ["SECRET_WITHOUT_METHOD", "client_secret", "the configured method does not use it."]);
  }
  if (privateKey && method !== null && method !== "private_key_jwt") {
    report(table, ["SECRET_WITHOUT_METHOD", "private_key", "the configured method does not use it."]);
  }
}
