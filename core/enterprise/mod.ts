/**
 * Enterprise-managed authorization of MCP servers: everything that can be decided without a network, a clock or a
 * keyring. Pure: no I/O, no dependency, any JavaScript runtime. `adapters/http` sends what is decided here.
 *
 * A host reads its configuration ({@linkcode readConfiguration}), checks what discovery finds
 * ({@linkcode readResourceMetadata}, {@linkcode readServerMetadata}), builds and checks both requests
 * ({@linkcode tokenExchangeParameters}, {@linkcode checkIdJag}, {@linkcode redemptionParameters}), keeps state
 * ({@linkcode transition}) and says how things stand ({@linkcode serverStatus}, {@linkcode guidance}).
 *
 * @module
 */

export { CodexMcpError } from "../errors.ts";
export type { JsonObject, JsonValue } from "../json/value.ts";
export type { ClockPort } from "../ports/clock.ts";
export type { DigestPort } from "../ports/digest.ts";
export type { HttpOptions, HttpPort, HttpRequest, HttpResponse } from "../ports/http.ts";
export type { KeyringEntry, KeyringPort, KeyringWrite } from "../ports/keyring.ts";
export type { AuthorizationEffect, AuthorizationEvent, NewLease } from "./authorization/event.ts";
export type { RegisteredServer } from "./authorization/event.ts";
export { initialState } from "./authorization/state.ts";
export type {
  AuthorizationState,
  ConfigurationState,
  GoneReason,
  HeldGrant,
  KeyringState,
} from "./authorization/state.ts";
export type { LeaseState, MovedPart, RevokedReason, ServerBlock } from "./authorization/state.ts";
export type { ServerState, ThreadState } from "./authorization/state.ts";
export type { Step } from "./authorization/step.ts";
export { type CommitTag, isCurrent, tagOf } from "./authorization/tag.ts";
export { transition } from "./authorization/transition.ts";
export { exchangeRefusal, leaseUseRefusal, serverUseRefusal } from "./authorization/use.ts";
export type { LeaseUse, ThreadUse, UseRefusal } from "./authorization/use.ts";
export { catalogScope, mayReuseCatalog } from "../catalog/scope.ts";
export type { CatalogEra, CatalogFacts, CatalogOwner, CatalogScope } from "../catalog/scope.ts";
export { chooseClientMethod, CLIENT_METHODS } from "./client_authentication.ts";
export type { ClientMethod, ClientMethodFacts } from "./client_authentication.ts";
export type { ClientConfiguration } from "./config/client.ts";
export { readConfiguration } from "./config/configuration.ts";
export type { DisabledServer, EnterpriseConfiguration } from "./config/configuration.ts";
export { faultError } from "../configuration/layers/fault.ts";
export type {
  ConfigurationFault,
  ConfigurationFaultCode,
  ConfigurationWarning,
  ConfigurationWarningCode,
} from "../configuration/layers/fault.ts";
export {
  type ConfigurationLayer,
  isHostPolicy,
  type LayerKind,
  type LayerName,
} from "../configuration/layers/layer.ts";
export { DEFAULT_PROVIDER, type EnterpriseProvider } from "./config/provider.ts";
export { inlineSecret, type SecretReference } from "./config/secret.ts";
export type { EnterpriseServer, SubjectTokenChoice } from "./config/server.ts";
export { candidateIssuers, chooseAuthorizationServer } from "./discovery/choice.ts";
export { MAX_AUTHORIZATION_SERVERS } from "./discovery/choice.ts";
export type { CandidateFacts, ChoiceReason } from "./discovery/choice.ts";
export type { EndpointReason } from "./discovery/endpoint.ts";
export { challengeMetadataUrl, MAX_METADATA_REDIRECTS, redirectTarget } from "./discovery/redirect.ts";
export type { MetadataRedirect } from "./discovery/redirect.ts";
export { readResourceMetadata } from "./discovery/resource_metadata.ts";
export type { ResourceMetadata, ResourceMetadataOptions } from "./discovery/resource_metadata.ts";
export type { ResourceMetadataReason } from "./discovery/resource_metadata.ts";
export { readServerMetadata } from "./discovery/server_metadata.ts";
export type { ServerMetadata, ServerMetadataOptions } from "./discovery/server_metadata.ts";
export type { ServerMetadataReason, ServerRole } from "./discovery/server_metadata.ts";
export { resourceMetadataUrls, serverMetadataUrls } from "./discovery/well_known.ts";
export { EnterpriseError, type EnterpriseErrorCode, type EnterpriseErrorDetails, type Leg } from "./error.ts";
export { CLIENT_CAPABILITIES_KEY, declareEnterpriseExtension, ENTERPRISE_EXTENSION } from "./extension.ts";
export { EXTENSIONS_SINCE, judgeExtension, withEnterpriseExtension } from "./extension.ts";
export type { ExtensionFacts, ExtensionVerdict } from "./extension.ts";
export { isGeneration, newGeneration } from "./grant/generation.ts";
export { grantKey, providerKey, registrationFingerprint } from "./grant/key.ts";
export type { AccountOwner, GrantSubject, Registration } from "./grant/key.ts";
export { compareMarker, readMarker, writeMarker } from "./grant/marker.ts";
export type { GrantMarker, MarkerVerdict } from "./grant/marker.ts";
export { GRANT_BYTES, type GrantRecord, readGrant, rotateGrant, writeGrant } from "./grant/record.ts";
export { checkIdJag, type IdJag, type IdJagOptions, type IdJagReason } from "./exchange/id_jag.ts";
export { MAX_CLOCK_SKEW, type TimeReason } from "./exchange/id_jag_time.ts";
export { coversUrl, isAskedIssuer, isPublishedIssuer } from "./identifier.ts";
export { checkExpectedSubject, checkRenewedIdentity, readIdentity } from "./identity.ts";
export type { Identity, IdentityOptions, IdentityReason } from "./identity.ts";
export type { JwtObject } from "./exchange/jwt.ts";
export { isLeaseAlive, leaseExpiry, leaseKey, MAX_LEASE_SECONDS, renewalTime } from "./lease.ts";
export { UNKNOWN_LEASE_SECONDS } from "./lease.ts";
export type { LeaseBinding, LeaseLife } from "./lease.ts";
export { meaningOf, OAUTH_ERROR_CODES, readOAuthFailure } from "./exchange/oauth_error.ts";
export type { FailureMeaning, OAuthErrorCode, OAuthFailure } from "./exchange/oauth_error.ts";
export { readRedemptionAnswer, redemptionParameters } from "./exchange/redemption.ts";
export type { RedemptionAnswer, RedemptionExpectation, RedemptionOptions } from "./exchange/redemption.ts";
export type { RedemptionReason } from "./exchange/redemption.ts";
export { isSameSet, isScope, isWithin, parseScopes, scopeText, stepUp } from "./scope.ts";
export type { StepUp, StepUpFacts } from "./scope.ts";
export { factsOf, serverStatus } from "./status/status.ts";
export type { RunningFacts, ServerStatus, SignInFacts, StatusFacts } from "./status/status.ts";
export { guidance, loginCommand, statusExitCode, worstExitCode } from "./status/status_text.ts";
export type { GuidanceOptions, StatusExitCode } from "./status/status_text.ts";
export { isTypedRefusal, planSubjectToken } from "./exchange/subject_token.ts";
export type { SubjectToken, SubjectTokenFacts, SubjectTokenPlan } from "./exchange/subject_token.ts";
export { ID_JAG_TOKEN_TYPE, readExchangeAnswer, rotatedRefreshToken } from "./exchange/token_exchange.ts";
export { tokenExchangeParameters } from "./exchange/token_exchange.ts";
export type { ExchangeAnswer, ExchangeReason, RequestParameters } from "./exchange/token_exchange.ts";
export type { TokenExchangeOptions } from "./exchange/token_exchange.ts";
export { isSameOrigin, issuerFlaw, type UrlFlaw, urlFlaw, urlFlawText, type UrlOptions } from "./url.ts";
export { refusalError } from "./verdict.ts";
export type { Accepted, Note, Refusal, RefusalContext, Refused, Verdict } from "./verdict.ts";
