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
import type { Finding } from "./finding.ts";

/** What an error is about. */
export interface FailedCheck {
  /** Name of the check. */
  readonly id: string;
  /** Whom it is about; absent: this machine. */
  readonly subject?: string;
  /** The fields of the configuration that name the other side: `"mcp_enterprise_managed_auth.idp.issuer"`. */
  readonly field: string;
}

/** The command that looks again. */
export const AGAIN = "codex-mcp doctor";

/** The finding. What is no error of ours is thrown on. */
export function failedFinding(error: unknown, { id, subject, field }: FailedCheck): Finding {
  if (!(error instanceof EnterpriseError)) throw error;
  const { code, message } = error;
  const whose = subject === undefined ? {} : { subject };
  return {
    id,
    ...whose,
    status: "failed",
    code,
    found: message.replace(/\.$/, ""),
    fix: fixOf(error, field),
  };
}

function fixOf(error: EnterpriseError, field: string): string {
  const { code, reason = "", message } = error;
  if (code === "TEMPORARILY_UNAVAILABLE") {
    return `${OUTAGES[reason] ?? OUTAGES["network"]}, then run: ${AGAIN}`;
  }
  if (code === "DISCOVERY_REFUSED") return `${DOCUMENTS[reason] ?? `check ${field}`}, then run: ${AGAIN}`;
  const advice = adviceOn(error, AGAIN)?.slice(message.replace(/\.$/, "").length + 2);
  if (advice !== undefined) return `${advice.slice(0, 1).toLowerCase()}${advice.slice(1)}`;
  return `${REFUSALS[code] ?? `check ${field}`}, then run: ${AGAIN}`;
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
  "not-found": "check the address: its metadata is at none of the places that the standards name",
  "issuer-mismatch": "write the issuer exactly as its metadata publishes it, the slash at the end included",
  "grant-unsupported": "have the administrator enable the grant type that is named for this client",
  "profile-unsupported": "have the administrator enable ID-JAG (cross-app access)",
  "not-published": "name an authorization_server_issuer that the resource's metadata publishes",
  "none-published": "name the authorization_server_issuer of this server",
};

const REFUSALS: Readonly<Partial<Record<EnterpriseErrorCode, string>>> = {
  CLIENT_REFUSED: "register the client for a method that is listed, and configure token_endpoint_auth_method",
  CONFIGURATION_REFUSED: "do what the message says", // it names the variable, or the item
  URL_REFUSED: "correct the address",
};
