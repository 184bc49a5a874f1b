/**
 * Each method of client authentication, as it stands in the request, and what keeps one from being used.
 *
 * @module
 */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from "jose";
import { test } from "node:test";
import type { AuthorizationServer } from "oauth4webapi";
import { clientAuth, clientMethodAt } from "../../../../adapters/http/client/client_authentication.ts";
import type { ClientMethod } from "../../../../core/enterprise/client_authentication.ts";
import type { ClientConfiguration } from "../../../../core/enterprise/config/client.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";

const { signal } = new AbortController();
const AS: AuthorizationServer = { issuer: "https://as.example/" };
const PUBLIC: ClientConfiguration = { clientId: "c:1", secret: null, privateKey: null, method: null };
const WITH_SECRET: ClientConfiguration = { ...PUBLIC, secret: { kind: "environment", name: "SECRET" } };
const WITH_KEY: ClientConfiguration = { ...PUBLIC, privateKey: { kind: "environment", name: "KEY" } };

interface Written {
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

async function written(
  client: ClientConfiguration,
  method: ClientMethod,
  secret: string | null = null,
): Promise<Written> {
  const readSecret = (): Promise<string> =>
    secret === null ? Promise.reject(new Error("nothing may be read")) : Promise.resolve(secret);
  const authentication = await clientAuth(client, { method, readSecret, signal });
  const body = new URLSearchParams();
  const headers = new Headers();
  await authentication(AS, { client_id: client.clientId }, body, headers);
  return { body: Object.fromEntries(body), headers: Object.fromEntries(headers) };
}

test("a public client sends its id, and reads no secret", async () => {
  assertEquals(await written(PUBLIC, "none"), { body: { client_id: "c:1" }, headers: {} });
});

test("Basic encodes both parts as a form does, and stands alone", async () => {
  const { body, headers } = await written(WITH_SECRET, "client_secret_basic", "s+%/= &:é");
  assertEquals(body, {});
  assertEquals(atob(headers["authorization"]?.slice(6) ?? ""), "c%3A1:s%2B%25%2F%3D+%26%3A%C3%A9");
});

test("post puts id and secret into the body, and no header", async () => {
  assertEquals(await written(WITH_SECRET, "client_secret_post", "s+%"), {
    body: { client_id: "c:1", client_secret: "s+%" },
    headers: {},
  });
});

test("a private key signs an assertion for the issuer", async () => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = JSON.stringify({ ...await exportJWK(privateKey), kid: "k1" });
  const { body, headers } = await written(WITH_KEY, "private_key_jwt", key);
  assertEquals(headers, {});
  assertEquals(body["client_id"], "c:1");
  assertEquals(body["client_secret"], undefined);
  assertEquals(body["client_assertion_type"], "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
  const assertion = body["client_assertion"] ?? "";
  assertEquals(decodeProtectedHeader(assertion), { alg: "ES256", kid: "k1" });
  const { iss, sub, aud } = decodeJwt(assertion);
  assertEquals({ iss, sub, aud }, { iss: "c:1", sub: "c:1", aud: "https://as.example/" });
});

test("a credential that is missing, empty or unreadable is named, and not shown", async () => {
  const refused = async (
    client: ClientConfiguration,
    method: ClientMethod,
    secret: string,
  ): Promise<string> => {
    const error = await assertRejects(() => written(client, method, secret), EnterpriseError);
    assertEquals(error.message.includes("s3cret"), false);
    return `${error.code} ${error.reason}`;
  };
  const missing = "CONFIGURATION_REFUSED METHOD_WITHOUT_SECRET";
  assertEquals(await refused(PUBLIC, "client_secret_basic", "s3cret"), missing);
  assertEquals(await refused(WITH_SECRET, "private_key_jwt", "s3cret"), missing);
  assertEquals(await refused(WITH_SECRET, "client_secret_post", ""), "CONFIGURATION_REFUSED FIELD_EMPTY");
  const unreadable = "CONFIGURATION_REFUSED PRIVATE_KEY_UNREADABLE";
  assertEquals(await refused(WITH_KEY, "private_key_jwt", '{"d":"s3cret"}'), unreadable);
});

test("what the reader of secrets throws comes through", async () => {
  const locked = new EnterpriseError("KEYRING_LOCKED", "Cannot read the keyring: it is locked");
  const readSecret = (): Promise<string> => Promise.reject(locked);
  const method = "client_secret_post";
  assertEquals(await assertRejects(() => clientAuth(WITH_SECRET, { method, readSecret, signal })), locked);
});

test("nobody waits for a secret longer than for the request, and its reader is told", async () => {
  for (
    const [why, reason] of [[new DOMException("x", "TimeoutError"), "deadline"], [
      "s3cret",
      "aborted",
    ]] as const
  ) {
    const controller = new AbortController();
    const { signal } = controller;
    const told: AbortSignal[] = [];
    const readSecret = (_: unknown, signal: AbortSignal): Promise<string> =>
      new Promise(() => void told.push(signal));
    const waiting = clientAuth(WITH_SECRET, { method: "client_secret_post", readSecret, signal });
    controller.abort(why);
    const error = await assertRejects(() => waiting, EnterpriseError);
    assertEquals([error.code, error.reason, error.cause], ["TEMPORARILY_UNAVAILABLE", reason, undefined]);
    assertEquals(told, [signal]);
  }
});

test("the method comes from the configuration, else from the metadata", () => {
  assertEquals(clientMethodAt(PUBLIC, { clientMethods: null }), "none");
  assertEquals(clientMethodAt(WITH_SECRET, { clientMethods: null }), "client_secret_basic");
  assertEquals(clientMethodAt(WITH_SECRET, { clientMethods: ["client_secret_post"] }), "client_secret_post");
  assertEquals(clientMethodAt(WITH_KEY, { clientMethods: ["private_key_jwt"] }), "private_key_jwt");
  const configured = { ...WITH_SECRET, method: "client_secret_basic" } as const;
  const { code, reason } = assertThrows(
    () => clientMethodAt(configured, { clientMethods: ["client_secret_post"] }),
    EnterpriseError,
  );
  assertEquals(`${code} ${reason}`, "CLIENT_REFUSED method-unsupported");
});
