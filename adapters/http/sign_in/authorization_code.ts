/**
 * Sign-in in a browser: authorization code with PKCE (S256), `state`, `nonce` and, where the provider says so, `iss`.
 *
 * The caller opens the URL and brings the callback back; `adapters/cli/enterprise/callback_listener.ts` is one way.
 * OpenID Connect Core 1.0, 3.1; RFC 7636; RFC 8252, 7.3; RFC 9207.
 *
 * @module
 */

import * as oauth from "oauth4webapi";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { signInFailure } from "./failure.ts";
import { readSignIn, type SignedIn } from "./id_token.ts";
import { openSession, type Session, type SignInContext, signInScopes } from "./session.ts";

/** A sign-in that waits for its callback. Holds what proves that it is ours: never print it. */
export interface PendingSignIn {
  /** Where the person signs in. */
  readonly url: string;
  /** Where the provider sends the browser. */
  readonly redirectUri: string;
  /** Takes the callback, a URL with its query, and finishes the sign-in. To be called once. */
  finish(callback: URL): Promise<SignedIn>;
}

/**
 * Begins a sign-in whose callback comes to `redirectUri`, a loopback URL that is registered for our client.
 *
 * `finish` throws an `EnterpriseError`: `ASSERTION_REFUSED` for a callback that answers another sign-in,
 * `ADMINISTRATOR_REFUSED` when it was denied, `IDENTITY_REFUSED` for an ID token that fails a check, and what
 * {@linkcode readSignIn} throws.
 *
 * @throws {EnterpriseError} `DISCOVERY_REFUSED` when the provider has no page to sign in at.
 * @throws {EnterpriseError} `CLIENT_REFUSED` when no method of client authentication is common.
 */
export async function beginSignIn(context: SignInContext, redirectUri: string): Promise<PendingSignIn> {
  const session = await openSession(context);
  const endpoint = context.metadata.authorizationEndpoint;
  if (endpoint === null) {
    throw new EnterpriseError(
      "DISCOVERY_REFUSED",
      `Cannot ${session.what}: the provider names no page to sign in at (authorization_endpoint).`,
      { reason: "authorization-endpoint-missing" },
    );
  }
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const url = new URL(endpoint);
  const parameters: Readonly<Record<string, string>> = {
    client_id: context.provider.client.clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    scope: signInScopes(context.provider).join(" "),
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(context.provider.promptLogin ? { prompt: "login" } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return {
    url: url.href,
    redirectUri,
    finish: (callback) => finish({ context, session }, { callback, redirectUri, verifier, state, nonce }),
  };
}

interface Callback {
  readonly callback: URL;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

async function finish(
  running: { readonly context: SignInContext; readonly session: Session },
  { callback, redirectUri, verifier, state, nonce }: Callback,
): Promise<SignedIn> {
  const { as, client, authenticate, request, what } = running.session;
  try {
    const parameters = oauth.validateAuthResponse(as, client, callback.searchParams, state);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authenticate,
      parameters,
      redirectUri,
      verifier,
      request,
    );
    const body = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    return await readSignIn(running, { response, body });
  } catch (error) {
    throw signInFailure(error, what);
  }
}
