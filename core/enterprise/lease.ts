/**
 * The lease of an access token: what it is bound to, how long it is kept, when it is renewed. A lease is used only by
 * exactly the account, generation, server, authorization server, client, resource and scopes that it was made for.
 *
 * Who may use one is decided in `authorization/use.ts`. The token itself is kept by an adapter, in memory.
 *
 * @module
 */

/** Everything that a lease is bound to. */
export interface LeaseBinding {
  /** Key of the grant: account, identity provider and client there. */
  readonly grantKey: string;
  /** Generation of the grant. */
  readonly generation: string;
  /** The configured URL of the MCP server, verbatim. */
  readonly endpoint: string;
  /** `metadata.issuer` of the authorization server. */
  readonly issuer: string;
  /** Our client id there. */
  readonly clientId: string;
  /** The resource identifier that was sent. */
  readonly resource: string;
  /** The scopes that were asked for, in whatever order; `null`: none, which differs from an empty list. */
  readonly scopes: readonly string[] | null;
}

/** Name of a lease: equal for equal bindings, different for any other. Holds no secret. */
export function leaseKey(binding: LeaseBinding): string {
  const { grantKey, generation, endpoint, issuer, clientId, resource, scopes } = binding;
  const words = scopes === null ? null : [...new Set(scopes)].sort();
  return JSON.stringify([grantKey, generation, endpoint, issuer, clientId, resource, words]);
}

/** Longest life of a lease, in seconds. */
export const MAX_LEASE_SECONDS = 3600;

/** Life of a lease whose token does not say how long it lives, in seconds. */
export const UNKNOWN_LEASE_SECONDS = 300;

/**
 * When a lease ends, epoch seconds: at most `expiresIn` and an hour after `receivedAt`, five minutes when
 * `expiresIn` is `null`. Taken once, at receipt, and stored as a point in time.
 *
 * @example
 * ```ts
 * import { leaseExpiry } from "./lease.ts";
 *
 * console.log(leaseExpiry(1_000, 86_400)); // 4600
 * ```
 */
export function leaseExpiry(receivedAt: number, expiresIn: number | null): number {
  return receivedAt + Math.min(expiresIn ?? UNKNOWN_LEASE_SECONDS, MAX_LEASE_SECONDS);
}

/** The life of a lease. */
export interface LeaseLife {
  /** When the token was received, epoch seconds. */
  readonly receivedAt: number;
  /** When the lease ends, epoch seconds. */
  readonly expiresAt: number;
}

/**
 * When a lease is renewed, epoch seconds: after 80 to 90 per cent of its life, and not less than ten seconds before
 * its end where its life allows that. `jitter` is a random number from 0 to 1, so that many do not renew at once.
 */
export function renewalTime({ receivedAt, expiresAt }: LeaseLife, jitter: number): number {
  const life = expiresAt - receivedAt;
  const part = 0.8 + 0.1 * Math.min(1, Math.max(0, jitter));
  return receivedAt + Math.max(0, Math.min(life * part, Math.max(life * 0.5, life - 10)));
}

/** Whether a lease may still be sent at `now`. A clock that went back to before the receipt ends it too. */
export function isLeaseAlive({ receivedAt, expiresAt }: LeaseLife, now: number): boolean {
  return now < expiresAt && now >= receivedAt - 60;
}
