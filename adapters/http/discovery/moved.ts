/**
 * What a refusal by discovery says about a server that worked before: its issuer, an endpoint or its authorization
 * server is no longer where it was.
 *
 * What that does to threads and leases is decided in `core/enterprise/authorization/`; the reasons come from
 * `core/enterprise/discovery/`.
 *
 * @module
 */

import type { MovedPart } from "../../../core/enterprise/authorization/state.ts";
import type { EnterpriseError } from "../../../core/enterprise/error.ts";

/** Which part moved, by reason. */
const PARTS: Readonly<Record<string, MovedPart>> = {
  "issuer-missing": "issuer",
  "issuer-mismatch": "issuer",
  "token-endpoint-missing": "endpoint",
  "endpoint-malformed": "endpoint",
  "endpoint-unusable": "endpoint",
  "endpoint-off-origin": "endpoint",
  "endpoint-moved": "endpoint",
  "none-published": "authorization-server",
  "not-published": "authorization-server",
  "none-suitable": "authorization-server",
};

/**
 * Which part of a server `error` says has moved. A document that is missing, or refused for another reason, counts as
 * its issuer's. `null` when the error is not discovery's refusal.
 */
export function movedPart(error: EnterpriseError): MovedPart | null {
  if (error.code !== "DISCOVERY_REFUSED") return null;
  const reason = error.reason ?? "";
  return Object.hasOwn(PARTS, reason) ? PARTS[reason] ?? "issuer" : "issuer";
}
