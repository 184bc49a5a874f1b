/**
 * What the finer reasons of refusals mean: those that an administrator has to know to correct something.
 *
 * @module
 */

import type { ChoiceReason } from "../../../core/enterprise/discovery/choice.ts";
import type { ResourceMetadataReason } from "../../../core/enterprise/discovery/resource_metadata.ts";
import type { ServerMetadataReason } from "../../../core/enterprise/discovery/server_metadata.ts";
import type { IdJagReason } from "../../../core/enterprise/exchange/id_jag.ts";
import type { RedemptionReason } from "../../../core/enterprise/exchange/redemption.ts";
import type { ExchangeReason } from "../../../core/enterprise/exchange/token_exchange.ts";
import type { IdentityReason } from "../../../core/enterprise/identity.ts";

type Reasons<Reason extends string> = { readonly [One in Reason]: string };

/** `DISCOVERY_REFUSED`: metadata of an identity provider, a resource or an authorization server. */
export const DISCOVERY_REASONS: Reasons<
  ChoiceReason | ResourceMetadataReason | ServerMetadataReason | "not-found"
> = {
  "not-found": "At none of the places that the standards name is there metadata.",
  "malformed": "The metadata is no JSON object.",
  "issuer-missing": "The metadata names no `issuer`.",
  "issuer-mismatch":
    "The metadata names another `issuer` than it was asked for. After a path, a slash at the end makes another one.",
  "grant-unsupported": "`grant_types_supported` lacks the grant that is needed.",
  "profile-unsupported":
    "The list of what can be asked for lacks ID-JAG: `identity_chaining_requested_token_types_supported` of an identity " +
    "provider, `authorization_grant_profiles_supported` of an authorization server.",
  "list-malformed": "A list of the metadata is none.",
  "token-endpoint-missing": "The metadata names no `token_endpoint`.",
  "endpoint-malformed": "An endpoint is no text.",
  "endpoint-unusable": "An endpoint breaks the rules for addresses, such as `http:` to another machine.",
  "endpoint-off-origin":
    "An endpoint lies on another origin than its issuer, and the configuration does not name it.",
  "endpoint-moved": "The configuration names another endpoint than the metadata.",
  "resource-missing": "The resource's metadata names no `resource`.",
  "resource-unusable": "Its `resource` breaks the rules for addresses.",
  "resource-mismatch": "Its `resource` is not the configured URL.",
  "authorization-servers-malformed": "Its `authorization_servers` are no list of issuers.",
  "bearer-method-unsupported": "It does not take a bearer in the header.",
  "binding-required": "It wants tokens that are bound to a key (DPoP, mutual TLS), which is not supported.",
  "none-published": "It names no authorization server, and the configuration does not either.",
  "not-published": "The configured `authorization_server_issuer` is not among those that it names.",
  "none-suitable": "None of the authorization servers that it names takes an ID-JAG.",
};

/** `EXCHANGE_REFUSED`: the answer to the token exchange, and the ID-JAG in it. */
export const EXCHANGE_REASONS: Reasons<ExchangeReason | IdJagReason> = {
  "malformed": "The answer is no JSON object.",
  "issued-token-type": "`issued_token_type` is not that of an ID-JAG.",
  "token-missing": "There is no token in it.",
  "expires-in-malformed": "`expires_in` is no number.",
  "scope-malformed": "The scopes are no list of words.",
  "segments": "The ID-JAG does not have the form of a JWT.",
  "header": "Its header cannot be read.",
  "claims": "Its claims cannot be read.",
  "signature": "It is not signed.",
  "algorithm": "Its `alg` is `none` or missing.",
  "critical": "Its header names an extension as critical.",
  "type": "Its `typ` is not `oauth-id-jag+jwt`.",
  "issuer": "Its `iss` is not the identity provider's issuer.",
  "audience": "Its `aud` is not the authorization server's issuer, or names others besides.",
  "client": "Its `client_id` is not the client at the authorization server.",
  "resource-missing": "It has no `resource`. `allow_missing_resource = true` accepts that.",
  "resource": "Its `resource` is another server's.",
  "subject": "It has no `sub`.",
  "id": "It has no `jti`.",
  "expiry-missing": "It has no `exp`.",
  "expired": "It has expired: see the clocks.",
  "issued-missing": "It has no `iat`.",
  "issued-in-future": "Its `iat` lies more than 60 seconds ahead: see the clocks.",
  "not-yet-valid": "Its `nbf` lies more than 60 seconds ahead: see the clocks.",
  "scope-contradiction": "The answer and the ID-JAG name different scopes.",
  "scope-exceeded": "It allows scopes that nobody asked for.",
  "authorization-details": "It carries `authorization_details`, which nobody asked for.",
  "key-bound": "It is bound to a key, which is not supported.",
};

/** `REDEMPTION_REFUSED`: the answer to the redemption. */
export const REDEMPTION_REASONS: Reasons<RedemptionReason> = {
  "malformed": "The answer is no JSON object.",
  "token-missing": "There is no access token in it.",
  "key-bound": "The token is bound to a key, which is not supported.",
  "token-type": "The token is no bearer.",
  "expires-in-malformed": "`expires_in` is no positive number.",
  "scope-malformed": "The scopes are no list of words.",
  "scope-exceeded": "It allows scopes that the ID-JAG does not.",
  "resource": "It is for another resource.",
};

/** `IDENTITY_REFUSED`: an ID token. */
export const IDENTITY_REASONS: Reasons<IdentityReason> = {
  "malformed": "It is no ID token.",
  "issuer": "Another provider issued it.",
  "subject": "It names another person than before.",
  "audience": "It is for another client.",
  "authorized-party": "Its `azp` is another client.",
  "expired": "It has expired: see the clocks.",
  "unexpected-subject": "Somebody else signed in than the host expects.",
};
