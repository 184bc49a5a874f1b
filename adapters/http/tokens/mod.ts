/**
 * Access tokens for MCP servers while a host runs: leases that are renewed ahead of their end, authenticated requests,
 * accounts, and threads that keep their authorization until it is revoked. Over web APIs alone.
 *
 * The single requests behind them are `@codex-mcp/runtime/http`; signing in is `@codex-mcp/runtime/http/sign-in`.
 *
 * In Workers a promise ends with the request that began it. Keep `EnterpriseTokens` in a Durable Object, or make them
 * for each request and share leases through a store; in a variable of the module they fail after the first renewal.
 *
 * Nothing is read or started at import. Permission in Deno: `--allow-net` for the hosts that are reached.
 *
 * @module
 */

export { createEnterpriseLegs, type EnterpriseLegsOptions } from "../exchange/enterprise_legs.ts";
export type { EnterpriseLegs, RenewedIdToken } from "../exchange/legs.ts";
export type { PresentedAssertion, PresentedRefresh, PresentedSubject } from "../exchange/legs.ts";
export type { EndedSignIn, GrantSource, LockedGrants, SignInEnding } from "../grants/grant_source.ts";
export type { GrantOutcome } from "../grants/grant_work.ts";
export { MemoryGrantSource } from "../grants/memory_grant_source.ts";
export { MemorySecretStore } from "../grants/memory_secret_store.ts";
export { SharedGrantSource, type SharedGrantSourceOptions } from "../grants/shared_grant_source.ts";
export { type AccountIdentity, type AccountTokens } from "../grants/program_grant_source.ts";
export { type ProgramGrantOptions, ProgramGrantSource } from "../grants/program_grant_source.ts";
export type { SecretChange, SecretStore, StoredSecret } from "../../../core/ports/secret_store.ts";
export type { LeaseChange, LeaseStore } from "../../../core/ports/lease_store.ts";
export type { LeaseStoreEvent } from "../leases/guarded_store.ts";
export type { LeaseKey, LeasePlace } from "../leases/lease_seal.ts";
export { MemoryLeaseStore, type MemoryLeaseStoreOptions } from "../leases/memory_lease_store.ts";
export type { SharedLease } from "../leases/shared_lease.ts";
export { openSharedLeases, type SeenLeases } from "../leases/shared_leases.ts";
export type { SharedLeases, SharedLeasesOptions } from "../leases/shared_leases.ts";
export type { CurrentSignIn } from "../grants/store_sign_in.ts";
export type { RedactedCause } from "../transport/redact.ts";
export type { AuthProvider } from "./auth_provider.ts";
export { type AuthenticatedFetch, EnterpriseTokens } from "./enterprise_tokens.ts";
export type { EnterpriseTokensOptions } from "./enterprise_tokens.ts";
export type { TokensOptions } from "./provider_options.ts";
export type { SignOutReport } from "./provider_sign_in.ts";
