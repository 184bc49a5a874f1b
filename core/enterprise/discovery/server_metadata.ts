/**
 * The metadata of an authorization server or of the identity provider. Checked in this order: shape, `issuer`, token
 * endpoint, the other endpoints, what the server supports.
 *
 * Where a document may be is decided in `well_known.ts`; which server is asked in `choice.ts`. The endpoints are
 * pinned to this document: a refresh token never goes where another document leads.
 * RFC 8414, 2 and 3.3 (June 2018); ID-JAG (draft -04), 7; MCP EMA (stable), 6.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../json/value.ts";
import { isAskedIssuer } from "../identifier.ts";
import { quoteUrl } from "../url.ts";
import { accept, type Note, refuse, type Refused, type Verdict } from "../verdict.ts";
import { capabilityOf, listOf } from "./capability.ts";
import { type EndpointReason, readEndpoint } from "./endpoint.ts";

/** Which of the two servers a document is read for. */
export type ServerRole = "identity-provider" | "authorization-server";

/** What the document says. */
export interface ServerMetadata {
  /** The issuer, verbatim: the audience of an ID-JAG, and what `iss` must equal. */
  readonly issuer: string;
  /** Where tokens are asked for. */
  readonly tokenEndpoint: string;
  /** Where tokens are revoked; `null`: nowhere. */
  readonly revocationEndpoint: string | null;
  /** Where a sign-in on another device begins; `null`: nowhere. */
  readonly deviceEndpoint: string | null;
  /** Where a sign-in in the browser begins; `null`: nowhere. */
  readonly authorizationEndpoint: string | null;
  /** Where the signing keys are; `null`: nowhere. */
  readonly jwksUri: string | null;
  /** The listed methods of client authentication; `null`: the list is absent. */
  readonly clientMethods: readonly string[] | null;
  /** Whether answers to an authorization request carry `iss` (RFC 9207). */
  readonly issParameter: boolean;
  /** Whether the profile is named (`"supported"`) or nothing is said about it. */
  readonly profile: "supported" | "unknown";
}

/** Why a document is refused. */
export type ServerMetadataReason =
  | "malformed"
  | "issuer-missing"
  | "issuer-mismatch"
  | "grant-unsupported"
  | "profile-unsupported"
  | "list-malformed"
  | EndpointReason;

/** What the document is read for. */
export interface ServerMetadataOptions {
  /** Which server it is. */
  readonly role: ServerRole;
  /** The issuer that was asked, verbatim. */
  readonly issuer: string;
  /** The configured URL that the reading began with: the MCP server's, or the identity provider's issuer. */
  readonly anchor: string;
  /** Endpoints that the layer which names the issuer configures exactly. */
  readonly configured?: {
    readonly tokenEndpoint?: string | null;
    readonly revocationEndpoint?: string | null;
    readonly deviceEndpoint?: string | null;
  };
}

/** For each role, the lists and what must be in them if they are there; the last one names the profile. */
const NEEDS: Readonly<
  Record<ServerRole, readonly (readonly [reason: Needed, list: string, value: string])[]>
> = {
  "identity-provider": [
    ["grant-unsupported", "grant_types_supported", "urn:ietf:params:oauth:grant-type:token-exchange"],
    [
      "profile-unsupported",
      "identity_chaining_requested_token_types_supported",
      "urn:ietf:params:oauth:token-type:id-jag",
    ],
  ],
  "authorization-server": [
    ["grant-unsupported", "grant_types_supported", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
    [
      "profile-unsupported",
      "authorization_grant_profiles_supported",
      "urn:ietf:params:oauth:grant-profile:id-jag",
    ],
  ],
};

type Needed = "grant-unsupported" | "profile-unsupported";

const SECTIONS: Readonly<Record<ServerRole, string>> = {
  "identity-provider": "ID-JAG -04, 7.1",
  "authorization-server": "ID-JAG -04, 7.2",
};

/** Reads the document that was found for `options.issuer`. */
export function readServerMetadata(
  document: unknown,
  options: ServerMetadataOptions,
): Verdict<ServerMetadata, ServerMetadataReason> {
  const { role, issuer: asked, configured = {} } = options;
  const what = `Cannot use the metadata of ${quoteUrl(asked)}`;
  if (!isJsonObject(document)) return refuse(["malformed", "RFC 8414, 3.2"], `${what}: it is no JSON object`);
  const issuer = ownProperty(document, "issuer");
  if (typeof issuer !== "string") {
    return refuse(["issuer-missing", "RFC 8414, 2"], `${what}: it names no issuer`);
  }
  if (!isAskedIssuer(asked, issuer)) return mismatch(what, { asked, issuer });
  const endpoint = (name: string, exact?: string | null): ReturnType<typeof readEndpoint> =>
    readEndpoint(document, { name, exact, issuer, anchor: options.anchor });
  const token = endpoint("token_endpoint", configured.tokenEndpoint ?? null);
  if (!token.accepted) return token;
  if (token.value === null) {
    return refuse(["token-endpoint-missing", "RFC 8414, 2"], `${what}: it names no token_endpoint`);
  }
  const revocation = endpoint("revocation_endpoint", configured.revocationEndpoint ?? null);
  if (!revocation.accepted) return revocation;
  const device = endpoint("device_authorization_endpoint", configured.deviceEndpoint ?? null);
  if (!device.accepted) return device;
  const authorization = endpoint("authorization_endpoint");
  if (!authorization.accepted) return authorization;
  const jwks = endpoint("jwks_uri");
  if (!jwks.accepted) return jwks;
  const missing = NEEDS[role].map((need) => lacking(document, { need, what, section: SECTIONS[role] }));
  const refused = missing.find((one) => one !== null);
  if (refused) return refused;
  const clientMethods = listOf(document, "token_endpoint_auth_methods_supported");
  if (clientMethods === undefined) {
    const state = "token_endpoint_auth_methods_supported is no list of strings";
    return refuse(["list-malformed", "RFC 8414, 2"], `${what}: ${state}`);
  }
  const profile = profileOf(document, role);
  return accept({
    issuer,
    tokenEndpoint: token.value,
    revocationEndpoint: revocation.value,
    deviceEndpoint: device.value,
    authorizationEndpoint: authorization.value,
    jwksUri: jwks.value,
    clientMethods,
    issParameter: ownProperty(document, "authorization_response_iss_parameter_supported") === true,
    profile,
  }, notesOf(profile, what));
}

function mismatch(
  what: string,
  { asked, issuer }: { readonly asked: string; readonly issuer: string },
): Refused<ServerMetadataReason> {
  const slash = asked.replace(/\/$/, "") === issuer.replace(/\/$/, "");
  const hint = slash ? ". They differ by the slash at the end, which counts" : "";
  return refuse(
    ["issuer-mismatch", "RFC 8414, 3.3"],
    `${what}: it is that of ${quoteUrl(issuer)}${hint}`,
  );
}

interface Lacking {
  readonly need: readonly [reason: Needed, list: string, value: string];
  readonly what: string;
  readonly section: string;
}

function lacking(document: unknown, { need, what, section }: Lacking): Refused<ServerMetadataReason> | null {
  const [reason, list, value] = need;
  const capability = capabilityOf(document, [list, value]);
  if (capability === "malformed") {
    return refuse(["list-malformed", "RFC 8414, 2"], `${what}: ${list} is no list of strings`);
  }
  return capability === "unsupported" ? refuse([reason, section], `${what}: ${list} lacks ${value}`) : null;
}

function profileOf(document: unknown, role: ServerRole): "supported" | "unknown" {
  const need = NEEDS[role].find(([reason]) => reason === "profile-unsupported");
  return need !== undefined && capabilityOf(document, [need[1], need[2]]) === "supported"
    ? "supported"
    : "unknown";
}

function notesOf(profile: "supported" | "unknown", what: string): readonly Note[] {
  if (profile === "supported") return [];
  return [{
    reason: "profile-unknown",
    message: `${what.replace("Cannot use t", "T")} says nothing about ID-JAG`,
  }];
}
