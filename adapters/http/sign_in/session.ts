/**
 * One sign-in's connection to the identity provider: its metadata and our registration in the terms of
 * `oauth4webapi`, and the requests that go through the one hardened `fetch`.
 *
 * Where the metadata comes from is decided in `discovery/discovery.ts`; how a client authenticates in
 * `client/client_authentication.ts`. Web APIs only.
 *
 * @module
 */

import * as oauth from "oauth4webapi";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { ServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import { MAX_CLOCK_SKEW } from "../../../core/enterprise/exchange/id_jag_time.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { HttpPort } from "../../../core/ports/http.ts";
import { withinSeconds } from "../../async/deadline.ts";
import { clientAuth, clientMethodAt } from "../client/client_authentication.ts";
import type { SecretReader } from "../client/secret_reader.ts";
import { type OAuthFetch, oauthFetch } from "../transport/oauth_fetch.ts";
import { signingInAt } from "./failure.ts";

/** What a sign-in works with. */
export interface SignInContext {
  /** The identity provider, as configured. */
  readonly provider: EnterpriseProvider;
  /** Its metadata, checked. */
  readonly metadata: ServerMetadata;
  /** Sends requests. */
  readonly http: HttpPort;
  /** Tells the time. */
  readonly clock: ClockPort;
  /** Reads the secret of our registration at the moment it is needed. */
  readonly readSecret: SecretReader;
  /** Ends everything that the sign-in waits for. */
  readonly signal: AbortSignal;
}

/** The same in the terms of `oauth4webapi`. */
export interface Session {
  /** The identity provider. */
  readonly as: oauth.AuthorizationServer;
  /** Our registration. */
  readonly client: oauth.Client;
  /** How it authenticates. */
  readonly authenticate: oauth.ClientAuth;
  /** Options of every request. */
  readonly request: {
    readonly [oauth.customFetch]: OAuthFetch;
    readonly [oauth.allowInsecureRequests]: boolean;
    readonly signal: AbortSignal;
  };
  /** What the sign-in is called in messages. */
  readonly what: string;
}

/** Signatures that need the provider's private key. */
const ALGORITHMS: readonly string[] = [
  "RS256",
  "PS256",
  "ES256",
  "EdDSA",
  "Ed25519",
  "RS384",
  "PS384",
  "ES384",
  "RS512",
  "PS512",
  "ES512",
];

/** The scopes of a sign-in at `provider`, in the order of the configuration. */
export function signInScopes({ scopes }: Pick<EnterpriseProvider, "scopes">): readonly string[] {
  return scopes ?? ["openid", "offline_access"];
}

/**
 * Prepares the requests of a sign-in. Reads the secret of the registration.
 *
 * @throws {EnterpriseError} `CLIENT_REFUSED` when the provider lists other methods of client authentication only.
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when the credential of the method is missing or unreadable.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when it does not come before the signal.
 */
export async function openSession(context: SignInContext): Promise<Session> {
  const { provider: { client }, metadata, http, clock, readSecret, signal } = context;
  const method = clientMethodAt(client, metadata);
  return {
    as: {
      issuer: metadata.issuer,
      token_endpoint: metadata.tokenEndpoint,
      authorization_response_iss_parameter_supported: metadata.issParameter,
      id_token_signing_alg_values_supported: [...ALGORITHMS],
      ...(metadata.authorizationEndpoint === null
        ? {}
        : { authorization_endpoint: metadata.authorizationEndpoint }),
      ...(metadata.deviceEndpoint === null ? {} : { device_authorization_endpoint: metadata.deviceEndpoint }),
      ...(metadata.jwksUri === null ? {} : { jwks_uri: metadata.jwksUri }),
    },
    client: {
      client_id: client.clientId,
      [oauth.clockSkew]: Math.round(clock.now() - Date.now() / 1000),
      [oauth.clockTolerance]: MAX_CLOCK_SKEW,
    },
    authenticate: await clientAuth(client, { method, readSecret, signal }),
    request: {
      [oauth.customFetch]: oauthFetch(withDeadline(http), { signal }),
      // which URLs may be plain http was decided when the metadata was read
      [oauth.allowInsecureRequests]: true,
      signal,
    },
    what: signingInAt(metadata.issuer),
  };
}

/** Seconds that one request may take. A person takes longer, a server does not. */
const REQUEST_SECONDS = 30;

function withDeadline(http: HttpPort): HttpPort {
  return {
    send: (request, { signal, maxBytes }) =>
      withinSeconds((limit) => http.send(request, { signal: limit, maxBytes }), {
        seconds: REQUEST_SECONDS,
        signal,
      }),
  };
}
