/**
 * The network side of enterprise-managed authorization, over web APIs alone: the hardened transport, discovery, both
 * legs of the exchange, refresh and revocation. What is sent and what is accepted is decided in `core/enterprise`;
 * oauth4webapi sends the requests and authenticates the client.
 *
 * Nothing is read or started at import. Permission in Deno: `--allow-net` for the hosts that are reached.
 *
 * @module
 */

export { type BearerChallenge, type BearerError, readBearerChallenge } from "./transport/challenge.ts";
export { createClock } from "./transport/clock.ts";
export { createDigest } from "./transport/digest.ts";
export { Discovery } from "./discovery/discovery.ts";
export type { Discovered, DiscoveryOptions, DiscoverySignal, ExchangeFacts } from "./discovery/discovery.ts";
export { type ExchangeContext, type ReceivedIdJag, requestIdJag } from "./exchange/exchange.ts";
export {
  createHttp,
  type HttpAdapterOptions,
  MAX_DOCUMENT_BYTES,
  type NoAnswerReason,
} from "./transport/http.ts";
export { movedPart } from "./discovery/moved.ts";
export type { Outcome, RequestFailure } from "./exchange/outcome.ts";
export { type ReceivedAccessToken, type RedeemContext, redeemIdJag } from "./exchange/redeem.ts";
export { type ProbeOutcome, probeOutcome, type RefreshContext } from "./exchange/refresh.ts";
export { type RefreshedGrant, refreshGrant } from "./exchange/refresh.ts";
export { type Revocation, type RevokeContext, revokeToken } from "./exchange/revoke.ts";
export type { SecretReader } from "./exchange/secret.ts";
export { createEdgeRuntime, type SendingRuntime } from "./transport/sending.ts";
export type { LoopbackProxy } from "./transport/loopback_proxy.ts";
export type { TokenRequestContext } from "./exchange/token_request.ts";
export { type AuthenticatedFetch, EnterpriseTokens } from "./tokens/enterprise_tokens.ts";
export type { EnterpriseTokensOptions } from "./tokens/enterprise_tokens.ts";
export { createEnterpriseLegs, type EnterpriseLegsOptions } from "./exchange/enterprise_legs.ts";
export type { EndedSignIn, GrantSource, LockedGrants, SignInEnding } from "./grants/grant_source.ts";
export { MemoryGrantSource } from "./grants/memory_grant_source.ts";
export {
  type AccountIdentity,
  type AccountTokens,
  ProgramGrantSource,
} from "./grants/program_grant_source.ts";
export type { ProgramGrantOptions } from "./grants/program_grant_source.ts";
export type { AuthProvider } from "./tokens/auth_provider.ts";
export { beginSignIn, type PendingSignIn } from "./sign_in/authorization_code.ts";
export { beginDeviceSignIn, type DeviceSignIn } from "./sign_in/device.ts";
export { importIdToken, importRefreshToken } from "./sign_in/import_token.ts";
export { type SignedIn } from "./sign_in/id_token.ts";
export type { SignInContext } from "./sign_in/session.ts";
export { recordOf } from "./sign_in/commit.ts";
export type { CommitOptions } from "./sign_in/commit.ts";
export type { EnterpriseLegs } from "./exchange/legs.ts";
export type { SignOutReport } from "./tokens/provider_sign_in.ts";
export type { TokensOptions } from "./tokens/provider_options.ts";
export type { CurrentSignIn } from "./sign_in/commit.ts";
export type { GrantOutcome } from "./grants/grant_work.ts";
export type { PresentedAssertion } from "./exchange/legs.ts";
export type { PresentedRefresh } from "./exchange/legs.ts";
export type { PresentedSubject } from "./exchange/legs.ts";
export type { RenewedIdToken } from "./exchange/legs.ts";
