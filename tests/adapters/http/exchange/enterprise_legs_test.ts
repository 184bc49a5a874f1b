import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createEnterpriseLegs } from "../../../../adapters/http/exchange/enterprise_legs.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpRequest } from "../../../../core/ports/http.ts";
import { jsonAnswer, testClock, testHttp } from "../answers.ts";
import { AS, IDP, MCP, PROVIDER, readSecret, SERVER } from "../parties.ts";

const clock = testClock();

function jwt(claims: Readonly<Record<string, unknown>>, type: string = "JWT"): string {
  const part = (value: unknown): string =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${part({ alg: "ES256", typ: type })}.${part(claims)}.c2ln`;
}

function idTokenOf(subject: string): string {
  const { clientId } = PROVIDER.client;
  return jwt({ iss: IDP, sub: subject, aud: clientId, exp: clock.now() + 600, iat: clock.now() });
}

/** The three servers; `idToken` is what a refresh brings. */
function create(idToken: string | null = null): {
  readonly legs: ReturnType<typeof createEnterpriseLegs>;
  readonly requests: HttpRequest[];
} {
  const http = testHttp(({ url, body }) => {
    if (url.includes("oauth-protected-resource")) {
      return jsonAnswer({ resource: MCP, authorization_servers: [AS] });
    }
    if (url.includes(".well-known")) {
      const issuer = new URL(url).origin;
      return jsonAnswer({
        issuer,
        token_endpoint: `${issuer}/token`,
        revocation_endpoint: `${issuer}/revoke`,
      });
    }
    if (url.endsWith("/revoke")) return jsonAnswer({});
    const grant = new URLSearchParams(body).get("grant_type") ?? "";
    if (grant === "refresh_token") {
      return jsonAnswer({ access_token: "a", token_type: "Bearer", refresh_token: "r1", id_token: idToken });
    }
    if (url.startsWith(AS)) {
      return jsonAnswer({ access_token: "bearer", token_type: "Bearer", expires_in: 60 });
    }
    const claims = {
      iss: IDP,
      aud: AS,
      sub: "a",
      client_id: SERVER.client.clientId,
      resource: MCP,
      jti: "1",
    };
    const times = { iat: clock.now(), exp: clock.now() + 300 };
    return jsonAnswer({
      access_token: jwt({ ...claims, ...times }, "oauth-id-jag+jwt"),
      issued_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      token_type: "N_A",
    });
  });
  return { legs: createEnterpriseLegs({ http, clock, readSecret }), requests: http.requests };
}

const { signal } = new AbortController();
const registration = { server: SERVER, provider: PROVIDER };

test("each leg goes to its own server with its own client, and the facts are those of discovery", async () => {
  const { legs, requests } = create();
  const facts = await legs.locate(registration, signal);
  assertEquals([facts.resource, facts.authorizationServer.issuer, facts.provider.issuer], [MCP, AS, IDP]);
  requests.length = 0;
  const onRotated = (): Promise<void> => Promise.resolve();
  const subject = { subjectToken: "id_token", token: "id", scopes: null, onRotated, signal } as const;
  const first = await legs.exchange(registration, { facts, ...subject });
  if (!first.succeeded) throw first.failure.error;
  const second = await legs.redeem(registration, {
    facts,
    assertion: first.value.token(),
    scopes: null,
    signal,
  });
  if (!second.succeeded) throw second.failure.error;
  assertEquals(second.value.token(), "bearer");
  const sent = requests.map(({ url, body }) => [url, new URLSearchParams(body).get("client_id")]);
  assertEquals(sent, [[`${IDP}/token`, PROVIDER.client.clientId], [`${AS}/token`, SERVER.client.clientId]]);
  const form = new URLSearchParams(requests[0]?.body);
  assertEquals([form.get("audience"), form.get("resource")], [AS, MCP]);
});

test("a renewed ID token must be the same person's", async () => {
  const rotated: string[] = [];
  const options = {
    refreshToken: "r0",
    idToken: idTokenOf("alice"),
    account: { subject: "alice", user: "alice", workspace: null },
    onRotated: (token: string): Promise<void> => Promise.resolve(void rotated.push(token)),
    signal,
  };
  const renewed = await create(idTokenOf("alice")).legs.refresh(PROVIDER, options);
  if (!renewed.succeeded) throw renewed.failure.error;
  assertEquals(renewed.value.expiresAt, clock.now() + 600);
  const error = await assertRejects(
    () => create(idTokenOf("mallory")).legs.refresh(PROVIDER, options),
    EnterpriseError,
  );
  assertEquals([error.code, error.reason], ["IDENTITY_REFUSED", "subject"]);
  assertEquals(rotated, ["r1", "r1"], "a rotated token was lost over a refused ID token");
  // also where none is stored, as when both do not fit into the keyring
  const unknown = { ...options, idToken: null };
  assertEquals((await create(idTokenOf("alice")).legs.refresh(PROVIDER, unknown)).succeeded, true);
  const refused = await assertRejects(
    () => create(idTokenOf("mallory")).legs.refresh(PROVIDER, unknown),
    EnterpriseError,
  );
  assertEquals(refused.code, "IDENTITY_REFUSED");
});

test("a revocation goes to the identity provider, and its failure is an answer", async () => {
  const { legs, requests } = create();
  assertEquals(await legs.revoke(PROVIDER, { token: "r0", signal }), { kind: "revoked" });
  assertEquals(requests.at(-1)?.url, `${IDP}/revoke`);
  const http = testHttp(() => Promise.reject(new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach")));
  const broken = createEnterpriseLegs({ http, clock, readSecret });
  assertEquals((await broken.revoke(PROVIDER, { token: "r0", signal })).kind, "failed");
});

test("what was found is looked for anew after it was forgotten", async () => {
  const { legs, requests } = create();
  await legs.locate(registration, signal);
  const { length } = requests;
  await legs.locate(registration, signal);
  assertEquals(requests.length, length);
  legs.forget();
  await legs.locate(registration, signal);
  assertEquals(requests.length, 2 * length);
});
