/**
 * The minimal provider that the MCP SDK's transports (version 2) take as `authProvider`: a token before each request,
 * and one more after a 401.
 *
 * The SDK does not say which token a 401 was for: it is taken for the one that was handed out last. Where requests run
 * side by side `authenticated_fetch.ts` is exact.
 *
 * @module
 */

import type { HandedLease } from "./lease_desk.ts";

/** What the SDK asks for. */
export interface AuthProvider {
  /** The bearer for the next request. */
  token(): Promise<string>;
  /** The server answered 401: forgets the bearer, so that the next one is fresh. Rejects on the second in a row. */
  onUnauthorized(): Promise<void>;
}

/** What the provider works with. */
export interface AuthProviderContext {
  /** Gives a lease. */
  readonly lease: () => Promise<HandedLease>;
  /** Says that the server refused the bearer of a lease. Throws when it may not be tried again. */
  readonly refused: (lease: string) => void;
}

/** Creates the provider of one thread's use of one server. */
export function createAuthProvider({ lease, refused }: AuthProviderContext): AuthProvider {
  let last: string | null = null;
  return {
    token: async () => {
      const handed = await lease();
      last = handed.lease;
      return handed.token;
    },
    onUnauthorized: async () => {
      if (last !== null) refused(last);
      last = null;
      await lease();
    },
  };
}
