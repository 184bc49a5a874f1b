/**
 * The network side of enterprise-managed authorization, over web APIs alone: the hardened transport, discovery, both
 * legs of the exchange, refresh and revocation. What is sent and what is accepted is decided in `core/enterprise`;
 * oauth4webapi sends the requests and authenticates the client.
 *
 * Nothing is read or started at import. Permission in Deno: `--allow-net` for the hosts that are reached.
 *
 * @module
 */

export { type BearerChallenge, type BearerError, readBearerChallenge } from "./challenge.ts";
export { createClock } from "./clock.ts";
export { createDigest } from "./digest.ts";
export { Discovery } from "./discovery.ts";
export type { Discovered, DiscoveryOptions, DiscoverySignal, ExchangeFacts } from "./discovery.ts";
export { type ExchangeContext, type ReceivedIdJag, requestIdJag } from "./exchange.ts";
export { createHttp, type HttpAdapterOptions, MAX_DOCUMENT_BYTES, type NoAnswerReason } from "./http.ts";
export { movedPart } from "./moved.ts";
export type { Outcome, RequestFailure } from "./outcome.ts";
export { type ReceivedAccessToken, type RedeemContext, redeemIdJag } from "./redeem.ts";
export { type ProbeOutcome, probeOutcome, type RefreshContext } from "./refresh.ts";
export { type RefreshedGrant, refreshGrant } from "./refresh.ts";
export { type Revocation, type RevokeContext, revokeToken } from "./revoke.ts";
export type { SecretReader } from "./secret.ts";
export { createEdgeRuntime, type SendingRuntime } from "./sending.ts";
export type { LoopbackProxy } from "./loopback_proxy.ts";
export type { TokenRequestContext } from "./token_request.ts";
export { type AuthenticatedFetch, EnterpriseTokens } from "./enterprise_tokens.ts";
export type { EnterpriseTokensOptions } from "./enterprise_tokens.ts";
export { createEnterpriseLegs, type EnterpriseLegsOptions } from "./enterprise_legs.ts";
export type { EndedSignIn, GrantSource, LockedGrants, SignInEnding } from "./grant_source.ts";
export { MemoryGrantSource } from "./memory_grant_source.ts";
export { type AccountIdentity, type AccountTokens, ProgramGrantSource } from "./program_grant_source.ts";
export type { ProgramGrantOptions } from "./program_grant_source.ts";
export type { AuthProvider } from "./auth_provider.ts";
export { beginSignIn, type PendingSignIn } from "./sign_in/authorization_code.ts";
export { beginDeviceSignIn, type DeviceSignIn } from "./sign_in/device.ts";
export { importIdToken, importRefreshToken } from "./sign_in/import_token.ts";
export { type SignedIn } from "./sign_in/id_token.ts";
export type { SignInContext } from "./sign_in/session.ts";
export { recordOf } from "./sign_in/commit.ts";
export type { CommitOptions } from "./sign_in/commit.ts";
export type { EnterpriseLegs } from "./legs.ts";
export type { SignOutReport } from "./provider_sign_in.ts";
export type { TokensOptions } from "./provider_options.ts";
export type { CurrentSignIn } from "./sign_in/commit.ts";
export type { GrantOutcome } from "./grant_work.ts";
export type { PresentedAssertion } from "./legs.ts";
export type { PresentedRefresh } from "./legs.ts";
export type { PresentedSubject } from "./legs.ts";
export type { RenewedIdToken } from "./legs.ts";
