/**
 * An identity provider in this process: signs ID tokens with a key of its own and answers what a test tells it to.
 * What real ones do is tested in `tests/real/enterprise/sign_in_test.ts`.
 *
 * @module
 */

import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { SignInContext } from "../../../../adapters/http/sign_in/session.ts";
import type { EnterpriseProvider } from "../../../../core/enterprise/config/provider.ts";
import type { ServerMetadata } from "../../../../core/enterprise/discovery/server_metadata.ts";
import type { HttpRequest } from "../../../../core/ports/http.ts";

export const ISSUER = "https://idp.example";
export const NOW = 2_000_000_000;

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** What the provider does. */
export interface FakeProvider {
  /** What a sign-in works with. */
  readonly context: SignInContext;
  /** Every request, in order. */
  readonly requests: HttpRequest[];
  /** What the next answers of the token endpoint are; the last one is repeated. */
  answers: readonly (readonly [status: number, body: Members])[];
  /** What the device endpoint answers. */
  device: Members;
  /** What the keys' place answers. */
  keys: readonly [status: number, body: Members];
  /** Signs an ID token: the usual claims and `claims`; `undefined` takes one away. */
  idToken(claims?: Members, header?: Members): Promise<string>;
}

/** Parameters of a request's body. */
export function formOf({ body = "" }: HttpRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(body));
}

/** Starts one. `changes` are members of the metadata that differ. */
export async function createFakeProvider(changes: Partial<ServerMetadata> = {}): Promise<FakeProvider> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...await exportJWK(publicKey), kid: "one", alg: "ES256", use: "sig" };
  const requests: HttpRequest[] = [];
  const fake: FakeProvider = {
    requests,
    answers: [],
    device: {},
    keys: [200, { keys: [jwk] }],
    context: {
      provider: providerOf(),
      metadata: { ...METADATA, ...changes },
      clock: { now: () => NOW, sleep: () => Promise.resolve(true) },
      signal: new AbortController().signal,
      readSecret: () => Promise.reject(new Error("There is no secret")),
      http: {
        send: (request) => {
          requests.push(request);
          const [status, body] = answerTo(request, fake);
          return Promise.resolve({
            status,
            headers: [["content-type", "application/json"]],
            body: new TextEncoder().encode(JSON.stringify(body)),
          });
        },
      },
    },
    idToken: async (claims = {}, header = {}) => {
      const all: Members = {
        iss: ISSUER,
        sub: "user-1",
        aud: "client-1",
        iat: NOW,
        exp: NOW + 600,
        email: "me@acme.example",
        workspace_id: "acme",
        ...claims,
      };
      const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      return await new SignJWT(kept).setProtectedHeader({ alg: "ES256", kid: "one", ...header }).sign(
        privateKey,
      );
    },
  };
  return fake;
}

function answerTo({ url }: HttpRequest, fake: FakeProvider): readonly [number, Members] {
  if (url.endsWith("/jwks")) return fake.keys;
  if (url.endsWith("/device")) return [200, fake.device];
  const [first, ...rest] = fake.answers;
  if (rest.length > 0) fake.answers = rest;
  return first ?? [500, {}];
}

/** The provider's registration of ours: a public client. */
export function providerOf(changes: Partial<EnterpriseProvider> = {}): EnterpriseProvider {
  return {
    name: "default",
    issuer: ISSUER,
    client: { clientId: "client-1", secret: null, privateKey: null, method: null },
    scopes: null,
    tokenEndpoint: null,
    revocationEndpoint: null,
    deviceEndpoint: null,
    redirectPort: null,
    promptLogin: false,
    layer: { kind: "user", source: "config.toml" },
    ...changes,
  };
}

const METADATA: ServerMetadata = {
  issuer: ISSUER,
  tokenEndpoint: `${ISSUER}/token`,
  revocationEndpoint: null,
  deviceEndpoint: `${ISSUER}/device`,
  authorizationEndpoint: `${ISSUER}/authorize?tenant=acme`,
  jwksUri: `${ISSUER}/jwks`,
  clientMethods: null,
  issParameter: true,
  profile: "supported",
};
