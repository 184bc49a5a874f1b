/**
 * The network side of enterprise-managed authorization, over web APIs alone: the hardened transport, discovery, both
 * legs of the exchange, refresh and revocation. What is sent and what is accepted is decided in `core/enterprise`;
 * oauth4webapi sends the requests and authenticates the client.
 *
 * This entry holds single requests, and nothing that lasts. Leases, threads and their revocation are
 * `@codex-mcp/runtime/http/tokens`, signing in is `@codex-mcp/runtime/http/sign-in`.
 *
 * Nothing is read or started at import. Permission in Deno: `--allow-net` for the hosts that are reached.
 *
 * @module
 */

export { Discovery } from "./discovery/discovery.ts";
export type { Discovered, DiscoveryOptions, DiscoverySignal, ExchangeFacts } from "./discovery/discovery.ts";
export { movedPart } from "./discovery/moved.ts";
export { type ExchangeContext, type ReceivedIdJag, requestIdJag } from "./exchange/exchange.ts";
export type { Outcome, RequestFailure } from "./exchange/outcome.ts";
export { type ReceivedAccessToken, type RedeemContext, redeemIdJag } from "./exchange/redeem.ts";
export { type ProbeOutcome, probeOutcome, type RefreshContext } from "./exchange/refresh.ts";
export { type RefreshedGrant, refreshGrant } from "./exchange/refresh.ts";
export { type Revocation, type RevokeContext, revokeToken } from "./exchange/revoke.ts";
export type { SecretReader } from "./client/secret_reader.ts";
export type { TokenRequestContext } from "./exchange/token_request.ts";
export { type BearerChallenge, type BearerError, readBearerChallenge } from "./transport/challenge.ts";
export { createClock } from "./transport/clock.ts";
export { createDigest } from "./transport/digest.ts";
export { createHttp, type HttpAdapterOptions } from "./transport/http.ts";
export { MAX_DOCUMENT_BYTES, type NoAnswerReason } from "./transport/http.ts";
export type { LoopbackProxy } from "./transport/loopback_proxy.ts";
export { createEdgeRuntime, type SendingRuntime } from "./transport/sending.ts";
