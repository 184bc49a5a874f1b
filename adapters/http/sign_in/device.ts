/**
 * Sign-in on another device: the person enters a code there, and this side asks until the provider has an answer.
 *
 * There is no callback, so there is no `state` and no `nonce`; the ID token is verified like any other.
 * RFC 8628 (August 2019).
 *
 * @module
 */

import * as oauth from "oauth4webapi";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { quoteUrl, urlFlaw, urlFlawText } from "../../../core/enterprise/url.ts";
import { signInFailure } from "./failure.ts";
import { readSignIn, type SignedIn } from "./id_token.ts";
import { openSession, type Session, type SignInContext, signInScopes } from "./session.ts";

/** A sign-in that waits for a person at another device. */
export interface DeviceSignIn {
  /** What the person enters, printable ASCII. */
  readonly userCode: string;
  /** Where, an http or https URL. */
  readonly verificationUri: string;
  /** The same with the code in it; `null`: the provider gives none. */
  readonly completeUri: string | null;
  /** Until when the code is good, epoch seconds. */
  readonly expiresAt: number;
  /** Waits until the person has answered and finishes the sign-in. To be called once. */
  finish(): Promise<SignedIn>;
}

/** Seconds between two questions when the provider names no interval. RFC 8628, 3.2. */
const INTERVAL = 5;

/**
 * Asks for a code. `finish` throws an `EnterpriseError`: `SIGN_IN_REQUIRED` when nobody answered in time,
 * `ADMINISTRATOR_REFUSED` when it was denied, and what {@linkcode readSignIn} throws.
 *
 * @throws {EnterpriseError} `DISCOVERY_REFUSED` when the provider does not offer it, or its answer cannot be shown.
 * @throws {EnterpriseError} `CLIENT_REFUSED` when the registration is refused.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when the provider does not answer now.
 */
export async function beginDeviceSignIn(context: SignInContext): Promise<DeviceSignIn> {
  const session = await openSession(context);
  const { as, client, authenticate, request, what } = session;
  if (context.metadata.deviceEndpoint === null) {
    throw new EnterpriseError(
      "DISCOVERY_REFUSED",
      `Cannot ${what} with another device: the provider does not offer that. Sign in without --device.`,
      { reason: "device-endpoint-missing" },
    );
  }
  const scope = signInScopes(context.provider).join(" ");
  const began = context.clock.now();
  let answer: oauth.DeviceAuthorizationResponse;
  try {
    const response = await oauth.deviceAuthorizationRequest(as, client, authenticate, { scope }, request);
    answer = await oauth.processDeviceAuthorizationResponse(as, client, response);
  } catch (error) {
    throw signInFailure(error, what);
  }
  const shown = (url: string): string => checkShown(url, { what, anchor: context.provider.issuer });
  if (!/^[\x20-\x7e]{1,64}$/.test(answer.user_code)) throw unshowable(what, "its code is not plain text");
  return {
    userCode: answer.user_code,
    verificationUri: shown(answer.verification_uri),
    completeUri: answer.verification_uri_complete === undefined
      ? null
      : shown(answer.verification_uri_complete),
    expiresAt: began + answer.expires_in,
    finish: () => poll({ context, session }, { answer, expiresAt: began + answer.expires_in }),
  };
}

interface Waiting {
  readonly answer: oauth.DeviceAuthorizationResponse;
  readonly expiresAt: number;
}

async function poll(
  running: { readonly context: SignInContext; readonly session: Session },
  { answer, expiresAt }: Waiting,
): Promise<SignedIn> {
  const { context: { clock, signal }, session: { as, client, authenticate, request, what } } = running;
  let interval = Math.max(1, answer.interval ?? INTERVAL);
  for (;;) {
    const slept = await clock.sleep(interval, signal);
    if (!slept || clock.now() >= expiresAt) {
      throw new EnterpriseError(
        "SIGN_IN_REQUIRED",
        `Cannot ${what}: nobody entered the code in time. Begin again.`,
        { reason: "expired_token" },
      );
    }
    try {
      const response = await oauth.deviceCodeGrantRequest(
        as,
        client,
        authenticate,
        answer.device_code,
        request,
      );
      const body = await oauth.processDeviceCodeResponse(as, client, response);
      return await readSignIn(running, { response, body });
    } catch (error) {
      const code = error instanceof oauth.ResponseBodyError ? error.error : null;
      if (code === "slow_down") interval += 5;
      else if (code !== "authorization_pending") throw signInFailure(error, what);
    }
  }
}

function checkShown(
  url: string,
  { what, anchor }: { readonly what: string; readonly anchor: string },
): string {
  const flaw = urlFlaw(url, { anchor });
  if (flaw === null) return url;
  throw unshowable(what, `it names the page ${quoteUrl(url)}: ${urlFlawText(flaw)}`);
}

function unshowable(what: string, state: string): EnterpriseError {
  return new EnterpriseError("DISCOVERY_REFUSED", `Cannot ${what} with another device: ${state}.`, {
    reason: "device-answer",
  });
}
