/**
 * Asking an identity provider to revoke a refresh token, once and within a limit: for a sign-out, and for a sign-in
 * that could not be kept.
 *
 * The request is `adapters/http/exchange/revoke.ts`'s. RFC 7009, 2 (August 2013).
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { EnterpriseParts } from "./parts.ts";

/** How long the identity provider may take, in milliseconds. */
const REVOCATION_MS = 15_000;

/** How it ended: an error when it was tried in vain, or could not be. */
export type GrantRevocation = "revoked" | "not-offered" | EnterpriseError;

/** Whom it is asked of, and with what. */
export interface RevokeGrantOptions {
  /** What the command works with. */
  readonly parts: Pick<EnterpriseParts, "http" | "readSecret" | "discover">;
  /** The identity provider. */
  readonly provider: EnterpriseProvider;
}

/** Tries it. */
export async function revokeGrant(
  token: string,
  { parts, provider }: RevokeGrantOptions,
): Promise<GrantRevocation> {
  const signal = AbortSignal.timeout(REVOCATION_MS);
  try {
    const { revokeToken } = await import("../../http/exchange/revoke.ts");
    const { http, readSecret } = parts;
    const metadata = await parts.discover(provider, signal);
    const context = { http, readSecret, metadata, client: provider.client, signal };
    const revocation = await revokeToken({ ...context, token, hint: "refresh_token" });
    return revocation.kind === "failed" ? revocation.error : revocation.kind;
  } catch (error) {
    if (error instanceof EnterpriseError) return error;
    throw error;
  }
}
