/**
 * What each switch of the enterprise test bed that concerns discovery, leg 1 or leg 2 must lead to, when the
 * authorization server is configured. A verdict is `token`, or stage, code, meaning and reason.
 *
 * @module
 */

import type { Endpoint } from "../../fixtures/enterprise/mod.ts";

/** Endpoints whose switches are listed. */
export const LISTED: readonly Endpoint[] = [
  "idp.metadata",
  "as.metadata",
  "mcp.prm",
  "idp.exchange",
  "as.token",
];

/** Switches by the beginning of their names, then by verdict. */
const LISTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "idp-metadata": {
    "discovery DISCOVERY_REFUSED - issuer-missing": "issuer-missing issuer-number",
    "discovery DISCOVERY_REFUSED - issuer-mismatch": "issuer-other-path issuer-elsewhere issuer-scheme-case",
    "exchange EXCHANGE_REFUSED misconfigured issuer": "issuer-slash",
    "discovery DISCOVERY_REFUSED - token-endpoint-missing": "token-endpoint-missing",
    "discovery DISCOVERY_REFUSED - endpoint-unusable":
      "token-endpoint-relative token-endpoint-link-local token-endpoint-file " +
      "token-endpoint-userinfo token-endpoint-fragment authorization-endpoint-javascript " +
      "authorization-endpoint-file",
    "discovery DISCOVERY_REFUSED - endpoint-off-origin":
      "token-endpoint-elsewhere token-endpoint-other-site revocation-endpoint-elsewhere " +
      "device-endpoint-elsewhere",
    "exchange EXCHANGE_REFUSED misconfigured not-json": "token-endpoint-moved",
    "token": "revocation-endpoint-missing grants-absent exchange-types-absent methods-absent " +
      "pkce-absent pkce-empty pkce-lacks pkce-text pkce-numbers pkce-null " +
      "authorization-endpoint-missing device-endpoint-missing jwks-missing jwks-elsewhere " +
      "iss-parameter-unsupported",
    "discovery DISCOVERY_REFUSED - grant-unsupported": "grants-empty grants-lacks",
    "discovery DISCOVERY_REFUSED - list-malformed":
      "grants-text grants-numbers grants-null exchange-types-text exchange-types-numbers " +
      "exchange-types-null methods-text methods-numbers methods-null",
    "discovery DISCOVERY_REFUSED - profile-unsupported": "exchange-types-empty exchange-types-lacks",
    "exchange CLIENT_REFUSED client method-unsupported": "methods-empty methods-lacks",
    "discovery DISCOVERY_REFUSED - not-found": "absent",
  },
  "as-metadata": {
    "discovery DISCOVERY_REFUSED - issuer-missing": "issuer-missing issuer-number",
    "discovery DISCOVERY_REFUSED - issuer-mismatch": "issuer-other-path issuer-elsewhere issuer-scheme-case",
    "exchange ADMINISTRATOR_REFUSED administrator invalid_target": "issuer-slash",
    "discovery DISCOVERY_REFUSED - token-endpoint-missing": "token-endpoint-missing",
    "discovery DISCOVERY_REFUSED - endpoint-unusable":
      "token-endpoint-relative token-endpoint-link-local token-endpoint-file " +
      "token-endpoint-userinfo token-endpoint-fragment",
    "discovery DISCOVERY_REFUSED - endpoint-off-origin":
      "token-endpoint-elsewhere token-endpoint-other-site revocation-endpoint-elsewhere",
    "redeem REDEMPTION_REFUSED misconfigured unrecognised": "token-endpoint-moved",
    "token": "revocation-endpoint-missing grants-absent profiles-absent methods-absent " +
      "oidc-insertion-only oidc-appending-only",
    "discovery DISCOVERY_REFUSED - grant-unsupported": "grants-empty grants-lacks",
    "discovery DISCOVERY_REFUSED - list-malformed":
      "grants-text grants-numbers grants-null profiles-text profiles-numbers profiles-null " +
      "methods-text methods-numbers methods-null",
    "discovery DISCOVERY_REFUSED - profile-unsupported": "profiles-empty profiles-lacks",
    "redeem CLIENT_REFUSED client method-unsupported": "methods-empty methods-lacks",
    "discovery DISCOVERY_REFUSED - not-found": "absent",
  },
  "idp-clock": {
    "exchange EXCHANGE_REFUSED misconfigured expired": "behind-600",
    "token": "behind-120 behind-45 ahead-45",
    "exchange EXCHANGE_REFUSED misconfigured issued-in-future": "ahead-120",
    "exchange ASSERTION_REFUSED grant-in-doubt invalid_grant": "ahead-600",
  },
  "as-clock": {
    "redeem ASSERTION_REFUSED assertion invalid_grant": "behind-600 behind-120 ahead-600",
    "token": "behind-45 ahead-45 ahead-120",
  },
  "exchange": {
    "exchange ADMINISTRATOR_REFUSED administrator access_denied": "access_denied",
    "exchange STRONGER_SIGN_IN_REQUIRED stronger-sign-in insufficient_user_authentication":
      "insufficient_user_authentication",
    "exchange CLIENT_REFUSED client invalid_client": "invalid_client",
    "exchange ASSERTION_REFUSED grant-in-doubt invalid_grant": "invalid_grant",
    "exchange ASSERTION_REFUSED grant-in-doubt invalid_request": "invalid_request",
    "exchange SCOPE_REFUSED scope invalid_scope": "invalid_scope",
    "exchange ADMINISTRATOR_REFUSED administrator invalid_target": "invalid_target",
    "exchange TEMPORARILY_UNAVAILABLE unavailable server_error": "server_error",
    "exchange TEMPORARILY_UNAVAILABLE unavailable temporarily_unavailable": "temporarily_unavailable",
    "exchange ADMINISTRATOR_REFUSED administrator unauthorized_client": "unauthorized_client",
    "exchange EXCHANGE_REFUSED misconfigured unrecognised": "unheard_of",
    "exchange EXCHANGE_REFUSED misconfigured unsupported_grant_type": "unsupported_grant_type",
  },
  "exchange-answer": {
    "token": "token-type-bearer token-type-dpop token-type-missing scope-missing expires-in-missing " +
      "refresh-token-added authorization-details refresh-token-rotated",
    "exchange EXCHANGE_REFUSED misconfigured issued-token-type":
      "issued-access-token issued-jwt issued-missing",
    "exchange EXCHANGE_REFUSED misconfigured token-missing": "id-jag-missing id-jag-empty id-jag-number",
    "exchange EXCHANGE_REFUSED misconfigured segments": "id-jag-opaque id-jag-two-segments",
    "exchange SCOPE_REFUSED scope scope-contradiction": "scope-narrowed scope-broadened",
    "exchange SCOPE_REFUSED scope scope-malformed": "scope-list",
    "exchange EXCHANGE_REFUSED misconfigured expires-in-malformed": "expires-in-zero expires-in-text",
  },
  "id-jag": {
    "exchange EXCHANGE_REFUSED misconfigured type":
      "typ-jwt typ-access-token typ-missing typ-media-type typ-case",
    "exchange EXCHANGE_REFUSED misconfigured signature": "alg-none signature-empty",
    "redeem ASSERTION_REFUSED assertion invalid_grant": "signature-foreign kid-unknown",
    "token": "encrypted aud-array resource-array sub-other expired-30 exp-in-days iat-ahead-45 " +
      "nbf-ahead-45 scope-missing",
    "exchange EXCHANGE_REFUSED misconfigured issuer": "iss-other iss-slash iss-missing",
    "exchange EXCHANGE_REFUSED misconfigured audience": "aud-other aud-slash aud-missing aud-empty aud-two",
    "exchange CLIENT_REFUSED client client": "client-id-other client-id-of-idp client-id-missing",
    "exchange EXCHANGE_REFUSED misconfigured resource": "resource-other resource-slash resource-two",
    "exchange EXCHANGE_REFUSED misconfigured resource-missing": "resource-missing",
    "exchange EXCHANGE_REFUSED misconfigured subject": "sub-missing sub-empty",
    "exchange EXCHANGE_REFUSED misconfigured id": "jti-missing jti-number",
    "exchange EXCHANGE_REFUSED misconfigured expiry-missing": "exp-missing exp-text",
    "exchange EXCHANGE_REFUSED misconfigured expired": "expired-120",
    "exchange EXCHANGE_REFUSED misconfigured issued-missing": "iat-missing",
    "exchange EXCHANGE_REFUSED misconfigured issued-in-future": "iat-ahead-120",
    "exchange EXCHANGE_REFUSED misconfigured not-yet-valid": "nbf-ahead-120 nbf-text",
    "exchange SCOPE_REFUSED scope scope-contradiction": "scope-broadened scope-narrowed",
    "exchange SCOPE_REFUSED scope scope-malformed": "scope-list",
    "exchange EXCHANGE_REFUSED binding key-bound": "cnf",
    "exchange EXCHANGE_REFUSED misconfigured authorization-details": "authorization-details",
  },
  "": {
    "exchange ADMINISTRATOR_REFUSED administrator access_denied": "policy-denies",
    "exchange ADMINISTRATOR_REFUSED administrator invalid_target": "policy-denies-target",
    "exchange ADMINISTRATOR_REFUSED administrator unauthorized_client": "policy-denies-client",
    "exchange STRONGER_SIGN_IN_REQUIRED stronger-sign-in insufficient_user_authentication": "policy-step-up",
    "exchange SCOPE_REFUSED scope invalid_scope": "policy-no-scopes",
    "exchange ASSERTION_REFUSED grant-in-doubt invalid_request":
      "subject-refresh-token-only subject-id-token-only",
    "token": "as-short-lifetime",
  },
  "redemption": {
    "redeem ADMINISTRATOR_REFUSED administrator access_denied": "access_denied",
    "redeem STRONGER_SIGN_IN_REQUIRED stronger-sign-in insufficient_user_authentication":
      "insufficient_user_authentication",
    "redeem CLIENT_REFUSED client invalid_client": "invalid_client",
    "redeem ASSERTION_REFUSED assertion invalid_grant": "invalid_grant",
    "redeem REDEMPTION_REFUSED misconfigured invalid_request": "invalid_request",
    "redeem SCOPE_REFUSED scope invalid_scope": "invalid_scope",
    "redeem ADMINISTRATOR_REFUSED administrator invalid_target": "invalid_target",
    "redeem TEMPORARILY_UNAVAILABLE unavailable server_error": "server_error",
    "redeem TEMPORARILY_UNAVAILABLE unavailable temporarily_unavailable": "temporarily_unavailable",
    "redeem CLIENT_REFUSED client unauthorized_client": "unauthorized_client",
    "redeem REDEMPTION_REFUSED misconfigured unrecognised": "unheard_of",
    "redeem REDEMPTION_REFUSED misconfigured unsupported_grant_type": "unsupported_grant_type",
  },
  "redemption-answer": {
    "redeem REDEMPTION_REFUSED binding key-bound": "token-type-dpop cnf",
    "redeem REDEMPTION_REFUSED misconfigured token-type": "token-type-mac token-type-na token-type-missing",
    "token": "token-type-case refresh-token resource-same scope-missing expires-in-missing " +
      "expires-in-year authorization-details",
    "redeem REDEMPTION_REFUSED misconfigured resource": "resource-other",
    "redeem SCOPE_REFUSED scope scope-exceeded": "scope-broadened scope-narrowed",
    "redeem REDEMPTION_REFUSED misconfigured token-missing":
      "access-token-missing access-token-empty access-token-number access-token-line-break",
    "redeem REDEMPTION_REFUSED misconfigured expires-in-malformed":
      "expires-in-zero expires-in-negative expires-in-text",
  },
  "prm": {
    "token": "servers-missing servers-slash servers-consumer-first servers-consumer-last servers-many " +
      "scopes-missing scopes-broad resource-origin resource-origin-slash at-root at-challenge",
    "discovery DISCOVERY_REFUSED - not-published":
      "servers-empty servers-other servers-elsewhere servers-link-local",
    "discovery DISCOVERY_REFUSED - authorization-servers-malformed": "servers-text servers-numbers",
    "discovery DISCOVERY_REFUSED - resource-missing": "resource-missing resource-number",
    "discovery DISCOVERY_REFUSED - resource-unusable": "resource-relative resource-fragment",
    "discovery DISCOVERY_REFUSED - resource-mismatch":
      "resource-elsewhere resource-other-path resource-path-prefix-without-boundary " +
      "resource-query resource-slash",
    "discovery DISCOVERY_REFUSED - not-found": "absent",
  },
  "mcp-challenge": {
    "token": "without-metadata metadata-elsewhere without-scope scope-broad",
  },
};

/** Faults below the protocol, at the reading of a document. */
const AT_DOCUMENT: Readonly<Record<string, string>> = {
  "token": "redirect-301-same redirect-302-same redirect-303-same redirect-307-same redirect-308-same",
  "DISCOVERY_REFUSED - redirected": "redirect-302-elsewhere redirect-307-elsewhere redirect-308-elsewhere",
  "DISCOVERY_REFUSED - not-json": "html text-plain",
  "DISCOVERY_REFUSED - not-found": "html-403 404",
  "DISCOVERY_REFUSED - malformed": "not-json json-array json-null empty",
  "DISCOVERY_REFUSED - too-long": "endless huge",
  "TEMPORARILY_UNAVAILABLE - status": "429 429-bare 500 502-html 503",
  "TEMPORARILY_UNAVAILABLE - deadline": "drip hang",
  "TEMPORARILY_UNAVAILABLE - network": "reset",
};

/** The same at a leg, whose own code stands for `REFUSED`. */
const AT_LEG: Readonly<Record<string, string>> = {
  "REFUSED misconfigured redirected":
    "redirect-301-same redirect-302-same redirect-303-same redirect-307-same redirect-308-same " +
    "redirect-302-elsewhere redirect-307-elsewhere redirect-308-elsewhere",
  "REFUSED misconfigured not-json": "html html-403 text-plain",
  "REFUSED misconfigured malformed": "not-json json-array json-null",
  "REFUSED misconfigured empty": "empty",
  "REFUSED misconfigured too-long": "endless huge",
  "TEMPORARILY_UNAVAILABLE unavailable server_error": "404 429 429-bare 500 503",
  "TEMPORARILY_UNAVAILABLE unavailable not-json": "502-html",
  "TEMPORARILY_UNAVAILABLE unavailable deadline": "drip hang",
  "TEMPORARILY_UNAVAILABLE unavailable network": "reset",
};

/** The verdict that each listed switch must lead to. */
export function expectedVerdicts(): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  const add = (
    prefix: string,
    list: Readonly<Record<string, string>>,
    verdictOf = (text: string): string => text,
  ): void => {
    for (const [text, names] of Object.entries(list)) {
      for (const name of names.split(" ")) all.set(`${prefix}-${name}`.replace(/^-/, ""), verdictOf(text));
    }
  };
  for (const [prefix, list] of Object.entries(LISTS)) add(prefix, list);
  for (const endpoint of ["idp.metadata", "as.metadata", "mcp.prm"]) {
    add(endpoint, AT_DOCUMENT, (text) => text === "token" ? text : `discovery ${text}`);
  }
  add("idp.exchange", AT_LEG, (text) => `exchange ${text.replace(/^REFUSED/, "EXCHANGE_REFUSED")}`);
  add("as.token", AT_LEG, (text) => `redeem ${text.replace(/^REFUSED/, "REDEMPTION_REFUSED")}`);
  return all;
}
