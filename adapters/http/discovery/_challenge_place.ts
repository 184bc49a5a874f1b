/**
 * The last place of a resource's metadata: the one that the server names when it is asked without authorization. One
 * request, with nothing secret in it, to the configured URL.
 *
 * It is sent only when the well-known places hold nothing (`discovery.ts`). RFC 9728, 5.1; MCP 2026-07-28,
 * authorization.
 *
 * @module
 */

import { challengeMetadataUrl } from "../../../core/enterprise/discovery/redirect.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { HttpPort } from "../../../core/ports/http.ts";
import { withinSeconds } from "../../async/deadline.ts";
import { BARE_ANSWER_BYTES, bareRequest } from "../transport/bare_request.ts";
import { readBearerChallenge } from "../transport/challenge.ts";
import { headerOf } from "../transport/document.ts";

/** How the server is asked. */
export interface ChallengeOptions {
  /** The transport. */
  readonly http: HttpPort;
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** After how many seconds it is given up. */
  readonly seconds: number;
}

/**
 * Asks the server at `url`, and gives the place that its challenge names on the same origin; `null` when it sends no
 * challenge, names none, or one elsewhere.
 *
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when there is no answer, or one of an outage.
 */
export async function challengePlace(url: string, options: ChallengeOptions): Promise<string | null> {
  const response = await withinSeconds(
    (signal) =>
      options.http.send(bareRequest(url, { version: "1" }), { signal, maxBytes: BARE_ANSWER_BYTES }),
    options,
  );
  if (response.status === 429 || response.status >= 500) {
    const message = `Cannot find the metadata of the server: it answered ${response.status}`;
    throw new EnterpriseError("TEMPORARILY_UNAVAILABLE", message, { reason: "status" });
  }
  if (response.status !== 401) return null;
  const challenge = await readBearerChallenge(headerOf(response, "www-authenticate"));
  return challengeMetadataUrl(url, challenge?.resourceMetadata ?? null);
}
