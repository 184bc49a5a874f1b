/**
 * The minimal provider that the MCP SDK's transports (version 2) take as `authProvider`. The SDK asks it for a token
 * before each request and does not say for which URL, nor what becomes of a redirect. So it shows no bearer: it sees
 * to it that there is one, so that a refusal ends the request before it is made, and gives a placeholder. The bearer
 * is put on by `authenticated_fetch.ts`, for the configured URL alone; the transport must have that one as its
 * `fetch`.
 *
 * What it cannot do: a transport with another `fetch` sends the placeholder, to whatever URL it was given. Nothing is
 * lost by that; a server that asks for a bearer answers 401, and then it says what is missing.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { quote } from "../../../core/errors.ts";
import type { HandedLease } from "../leases/leases.ts";

/** What the SDK asks for. */
export interface AuthProvider {
  /** A placeholder, once there is a bearer to send. Rejects when there is none. */
  token(): Promise<string>;
  /**
   * The server answered 401, so the bearer was not put on: the transport's `fetch` is not ours, which gets another
   * bearer itself and never hands a 401 on.
   *
   * @throws {EnterpriseError} `CONFIGURATION_REFUSED` always, with reason `fetch-not-ours`.
   */
  onUnauthorized(): Promise<void>;
}

/** What the provider works with. */
export interface AuthProviderContext {
  /** Name of the server. */
  readonly server: string;
  /** Gives a lease. */
  readonly lease: () => Promise<HandedLease>;
}

/** Stands where the bearer will. */
const PLACEHOLDER = "put-on-by-authenticatedFetch";

/** Creates the provider of one thread's use of one server. */
export function createAuthProvider({ server, lease }: AuthProviderContext): AuthProvider {
  return {
    token: async () => {
      await lease();
      return PLACEHOLDER;
    },
    onUnauthorized: () => {
      const state =
        "the transport sends without a bearer. Give it authenticatedFetch of the same use as fetch";
      const message = `Cannot use the server ${quote(server)}: ${state}`;
      return Promise.reject(
        new EnterpriseError("CONFIGURATION_REFUSED", message, { reason: "fetch-not-ours" }),
      );
    },
  };
}
