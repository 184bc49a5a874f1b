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
export type { TokenRequestContext } from "./token_request.ts";
