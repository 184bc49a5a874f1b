/**
 * The finding that an error makes, and the fix for each: what a person does about it, with the command that looks
 * again.
 *
 * What an error says is decided where it is thrown.
 *
 * @module
 */

import { EnterpriseError, type EnterpriseErrorCode } from "../../../core/enterprise/error.ts";
import { adviceOn } from "../enterprise/advice.ts";
import { AGAIN } from "./again.ts";
import type { Finding } from "./finding.ts";

/** What an error is about. */
export interface FailedCheck {
  /** Name of the check. */
  readonly id: string;
  /** Whom it is about; absent: this machine. */
  readonly subject?: string;
  /** The fields of the configuration that name the other side: `"mcp_enterprise_managed_auth.idp.issuer"`. */
  readonly field: string;
  /** URLs that were asked for a document, as they may be shown; absent: none, or they are not known. */
  readonly places?: readonly string[];
}

/** The finding. What is no error of ours is thrown on. */
export function failedFinding(error: unknown, { id, subject, field, places = [] }: FailedCheck): Finding {
  if (!(error instanceof EnterpriseError)) throw error;
  const { code, message } = error;
  const whose = subject === undefined ? {} : { subject };
  return {
    id,
    ...whose,
    status: "failed",
    code,
    found: message.replace(/\.$/, ""),
    fix: fixOf(error, { field, places }),
  };
}

function fixOf(
  error: EnterpriseError,
  { field, places }: Required<Pick<FailedCheck, "field" | "places">>,
): string {
  const { code, reason = "", message } = error;
  if (code === "TEMPORARILY_UNAVAILABLE") {
    return `${OUTAGES[reason] ?? OUTAGES["network"]}, then run: ${AGAIN}`;
  }
  if (code === "DISCOVERY_REFUSED") {
    const asked = reason === "not-found" && places.length > 0 ? ` (asked: ${places.join(", ")})` : "";
    return `${DOCUMENTS[reason] ?? `check ${field}`}${asked}, then run: ${AGAIN}`;
  }
  const advice = adviceOn(error, AGAIN)?.slice(message.replace(/\.$/, "").length + 2);
  if (advice !== undefined) return `${advice.slice(0, 1).toLowerCase()}${advice.slice(1)}`;
  return `${remedyOf(code, field)}, then run: ${AGAIN}`;
}

/** What to do about a refusal of this code; `field` names what decides about it. */
export function remedyOf(code: string, field: string): string {
  return REFUSALS.get(code)?.(field) ?? `check ${field}`;
}

/** By the reason of `TEMPORARILY_UNAVAILABLE`. */
const OUTAGES: Readonly<Record<string, string>> = {
  network: "check the network, the proxy and the address",
  tls:
    "have its certificate issued by an authority that this system trusts, or have the system trust that one",
  deadline: "check the network, the proxy and the address: it takes too long",
  status: "wait until it is up again, or ask whoever runs it",
};

/** By the reason of `DISCOVERY_REFUSED`. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  "issuer-mismatch": "write the issuer exactly as its metadata publishes it, the slash at the end included",
  "grant-unsupported": "have the administrator enable the grant type that is named for this client",
  "profile-unsupported": "have the administrator enable ID-JAG (cross-app access)",
  "not-published": "name an authorization_server_issuer that the resource's metadata publishes",
  "none-published": "name the authorization_server_issuer of this server",
};

const REFUSALS: ReadonlyMap<string, (field: string) => string> = new Map<
  EnterpriseErrorCode,
  (field: string) => string
>([
  [
    "CLIENT_REFUSED",
    () => "register the client for a method that is listed, and configure token_endpoint_auth_method",
  ],
  ["CONFIGURATION_REFUSED", (field) => `put the secret where ${field} says that it is, or correct that`],
  ["URL_REFUSED", (field) => `correct ${field}`],
  ["ADMINISTRATOR_REFUSED", () => "ask the administrator for access"],
  ["SCOPE_REFUSED", (field) => `correct the scopes of ${field}, or have the administrator allow them`],
  [
    "ASSERTION_REFUSED",
    () => "have the administrator of the server add the identity provider and the person",
  ],
  [
    "EXCHANGE_REFUSED",
    () => "have the administrator correct the identity provider's settings for this server",
  ],
  ["REDEMPTION_REFUSED", () => "have the administrator correct the server's authorization server"],
  ["REAUTHORIZATION_REQUIRED", () => "connect anew"],
]);
