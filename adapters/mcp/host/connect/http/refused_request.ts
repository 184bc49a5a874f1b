/**
 * Requests to an ordinary HTTP server that this host refuses: to send in a runtime that would not send safely, and to
 * send once more to where a redirect points. What is sent may hold credentials and the state of a sandbox.
 *
 * What a safe runtime is, is decided in `adapters/http/transport/sending.ts`; what such a request holds, in
 * `server_fetch.ts`. RFC 6750, 5.3; RFC 9110, 15.4.
 *
 * @module
 */

import { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import { HostError, type HostErrorCode, quote } from "../../../../../core/errors.ts";
import { requireSafeSending, type SendingRuntime } from "../../../../http/transport/sending.ts";

/** Why a request was refused. */
export interface Refusal {
  /** Code of the error. */
  readonly code: HostErrorCode;
  /** What kind of failure it is. */
  readonly reason: "sending" | "redirect" | "network";
  /** What is wrong, to follow the name of the server in a sentence. No url is in it, and nothing of the request. */
  readonly state: string;
  /** Status of the answer, with `reason` `"redirect"`. */
  readonly status?: number;
}

/** A request was refused. Calls end with it as it is; a connection that is being made says the same of itself. */
export class RefusedRequestError extends HostError {
  /** Why. */
  readonly refusal: Refusal;

  /** Creates it for a request to `server`. */
  constructor(server: string, refusal: Refusal) {
    super(refusal.code, `Cannot use the server ${quote(server)}: ${refusal.state}`, { server });
    this.refusal = refusal;
  }
}

/** The error of an answer that sends elsewhere, whereto does not matter. */
export function redirected(server: string, status: number): RefusedRequestError {
  const state =
    `it answered ${status}, a redirect, which is not followed: what is sent may hold credentials. ` +
    "Set url to where it really is";
  return new RefusedRequestError(server, { code: "SERVER_UNAVAILABLE", reason: "redirect", state, status });
}

/**
 * Refuses to send to `origin` in a runtime that would not send safely. Rejects with the reason of `signal` when that is
 * aborted first.
 *
 * @throws {RefusedRequestError} `SERVER_DISABLED` when certificate checks are switched off, plain http for this machine
 * would go to a proxy, or it cannot be seen; it names the variable or the flag. `SERVER_UNAVAILABLE` when this could
 * not be found out this time.
 */
export async function requireSafeRequest(
  origin: string,
  { server, runtime, signal }: {
    readonly server: string;
    readonly runtime: SendingRuntime;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  try {
    await requireSafeSending(origin, { runtime, signal });
  } catch (error) {
    if (!(error instanceof EnterpriseError)) throw error;
    // what stands before the first colon says what was to be done, and to which url
    const { message, code } = error;
    const state = `nothing is sent to it: ${message.slice(message.indexOf(": ") + 2)}`;
    throw new RefusedRequestError(
      server,
      code === "TEMPORARILY_UNAVAILABLE"
        ? { code: "SERVER_UNAVAILABLE", reason: "network", state }
        : { code: "SERVER_DISABLED", reason: "sending", state },
    );
  }
}
