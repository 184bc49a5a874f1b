/**
 * One request to a token endpoint, authenticated, by oauth4webapi through the hardened transport. It is sent once: a
 * request that carries a credential or an assertion is never repeated here, and never redirected.
 *
 * What is sent and what an answer must say is decided in `core/enterprise`; the requests themselves are `exchange.ts`,
 * `redeem.ts` and `refresh.ts`. RFC 6749, 3.2 and 5; RFC 9700, 4.11.
 *
 * @module
 */

import * as oauth from "oauth4webapi";
import type { ClientConfiguration } from "../../../core/enterprise/config/client.ts";
import type { ServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { RequestParameters } from "../../../core/enterprise/exchange/token_exchange.ts";
import { quoteUrl } from "../../../core/enterprise/url.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { HttpPort, HttpResponse } from "../../../core/ports/http.ts";
import { clientAuth, clientMethodAt } from "../client/client_authentication.ts";
import type { SecretReader } from "../client/secret_reader.ts";
import {
  type JsonDocument,
  readDocument,
  readJsonText,
  retryAfter,
  serverTime,
} from "../transport/document.ts";
import { oauthFetch } from "../transport/oauth_fetch.ts";
import { redactError } from "../transport/redact.ts";

/** Whom a request is sent to, as whom, and with what. */
export interface TokenRequestContext {
  /** The transport. */
  readonly http: HttpPort;
  /** The time of receipt. */
  readonly clock: ClockPort;
  /** The server's metadata. */
  readonly metadata: ServerMetadata;
  /** Our registration at that server. */
  readonly client: ClientConfiguration;
  /** Reads the client's secret or key. */
  readonly readSecret: SecretReader;
  /** Ends the request; a deadline for the whole exchange belongs here. */
  readonly signal: AbortSignal;
}

/** What a token endpoint answered. Holds tokens: never print it. */
export interface TokenAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The body. */
  readonly document: JsonDocument;
  /** The body as JSON whatever its media type, for the one thing that must not be lost: a rotated token. */
  readonly anyDocument: unknown;
  /** When it was received, epoch seconds. */
  readonly now: number;
  /** The server's own time, epoch seconds; `null`: not said. */
  readonly serverNow: number | null;
  /** Seconds after which the server wants to be asked again; `null`: not said. */
  readonly retryAfter: number | null;
}

/**
 * Sends `parameters`, `grant_type` among them, to the token endpoint.
 *
 * @throws {EnterpriseError} `CLIENT_REFUSED` when the metadata lists methods of client authentication, and none fits.
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when the client's credential is missing or unreadable.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when there is no answer.
 */
export async function tokenRequest(
  parameters: RequestParameters,
  context: TokenRequestContext,
): Promise<TokenAnswer> {
  const { metadata, client } = context;
  const others = new URLSearchParams(
    parameters.filter(([name]) => name !== "grant_type").map(([name, value]) => [name, value]),
  );
  const grantType = parameters.find(([name]) => name === "grant_type")?.[1] ?? "";
  const response = await sendAuthenticated(
    context,
    (authentication, options) =>
      oauth.genericTokenEndpointRequest(
        { issuer: metadata.issuer, token_endpoint: metadata.tokenEndpoint },
        { client_id: client.clientId },
        authentication,
        grantType,
        others,
        options,
      ),
  );
  return answerOf(response, context.clock.now());
}

/** What the library is told beside its own parameters. */
export type LibraryOptions = Pick<
  oauth.TokenEndpointRequestOptions & oauth.RevocationRequestOptions,
  typeof oauth.customFetch | typeof oauth.allowInsecureRequests
>;

/**
 * Authenticates the client, has the library send a request, and gives the answer as the transport got it.
 *
 * @throws {EnterpriseError} `CLIENT_REFUSED` when the metadata lists methods of client authentication, and none fits.
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when the client's credential is missing or unreadable.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when there is no answer.
 */
export async function sendAuthenticated(
  { http, metadata, client, readSecret, signal }: Omit<TokenRequestContext, "clock">,
  send: (authentication: oauth.ClientAuth, options: LibraryOptions) => Promise<Response>,
): Promise<HttpResponse> {
  const method = clientMethodAt(client, metadata);
  const authentication = await clientAuth(client, { method, readSecret, signal });
  const answers: HttpResponse[] = [];
  const onAnswer = (response: HttpResponse): void => void answers.push(response);
  // The transport decides where plain http may be spoken.
  const options = {
    [oauth.customFetch]: oauthFetch(http, { signal, onAnswer }),
    [oauth.allowInsecureRequests]: true,
  };
  try {
    await send(authentication, options);
  } catch (error) {
    if (error instanceof EnterpriseError) throw error;
    const message = `Cannot send the request to ${quoteUrl(metadata.issuer)}: it could not be built`;
    throw new EnterpriseError("CONFIGURATION_REFUSED", message, { cause: redactError(error) });
  }
  const answer = answers.at(-1);
  if (answer !== undefined) return answer;
  throw new EnterpriseError(
    "TEMPORARILY_UNAVAILABLE",
    `Cannot reach ${quoteUrl(metadata.issuer)}: no answer`,
  );
}

function answerOf(response: HttpResponse, now: number): TokenAnswer {
  return {
    status: response.status,
    document: readDocument(response),
    anyDocument: readJsonText(response.body),
    now,
    serverNow: serverTime(response),
    retryAfter: retryAfter(response, now),
  };
}
