/**
 * Sign-in with a token that somebody else obtained, for scripts and CI: an ID token, whose signature and claims are
 * verified like those of a fresh one, or a refresh token, which is used once to learn whose it is.
 *
 * There is no `nonce`: whoever hands the token over answers for it. OpenID Connect Core 1.0, 3.1.3.7 and 12.2.
 *
 * @module
 */

import * as oauth from "oauth4webapi";
import { signInFailure } from "./failure.ts";
import { readSignIn, type SignedIn } from "./id_token.ts";
import { openSession, type SignInContext } from "./session.ts";

/**
 * Verifies an ID token that was issued to our client.
 *
 * @throws {EnterpriseError} `IDENTITY_REFUSED` when a check fails.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when the provider's keys cannot be had now.
 */
export async function importIdToken(context: SignInContext, idToken: string): Promise<SignedIn> {
  const session = await openSession(context);
  const { as, client, what } = session;
  // the library checks ID tokens in answers alone: this is one that no server sent
  const answer = { access_token: "none", token_type: "bearer", id_token: idToken.trim() };
  const response = Response.json(answer);
  try {
    const body = await oauth.processRefreshTokenResponse(as, client, response);
    return await readSignIn({ context, session }, { response, body });
  } catch (error) {
    throw signInFailure(error, what);
  }
}

/**
 * Uses a refresh token that was issued to our client. If the provider rotates it, the sign-in holds the new one and
 * the given one is used up, also when the ID token is refused afterwards.
 *
 * @throws {EnterpriseError} `SIGN_IN_REQUIRED` when the provider no longer accepts it.
 * @throws {EnterpriseError} `IDENTITY_REFUSED` when the answer has no ID token, or a check of it fails.
 * @throws {EnterpriseError} `CLIENT_REFUSED` when the registration is refused.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when the provider does not answer now.
 */
export async function importRefreshToken(context: SignInContext, refreshToken: string): Promise<SignedIn> {
  const session = await openSession(context);
  const { as, client, authenticate, request, what } = session;
  const given = refreshToken.trim();
  try {
    const response = await oauth.refreshTokenGrantRequest(as, client, authenticate, given, request);
    const body = await oauth.processRefreshTokenResponse(as, client, response);
    const signedIn = await readSignIn({ context, session }, { response, body });
    return { ...signedIn, refreshToken: signedIn.refreshToken ?? given };
  } catch (error) {
    throw signInFailure(error, what);
  }
}
