/**
 * The real requests: discovery, both legs, refresh and revocation over one hardened transport, each with the right one
 * of the two client registrations.
 *
 * Each request is in a file of its own (`discovery/discovery.ts`, `exchange.ts`, `redeem.ts`, `refresh.ts`,
 * `revoke.ts`).
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { HttpPort } from "../../../core/ports/http.ts";
import type { SecretReader } from "../client/secret_reader.ts";
import { Discovery } from "../discovery/discovery.ts";
import { checkRenewedIdToken } from "../sign_in/renewed_id_token.ts";
import { requestIdJag } from "./exchange.ts";
import type { EnterpriseLegs, PresentedRefresh, RenewedIdToken } from "./legs.ts";
import type { Outcome } from "./outcome.ts";
import { redeemIdJag } from "./redeem.ts";
import { refreshGrant } from "./refresh.ts";
import { revokeToken } from "./revoke.ts";

/** What the requests are made with. */
export interface EnterpriseLegsOptions {
  /** The transport. */
  readonly http: HttpPort;
  /** Tells the time. */
  readonly clock: ClockPort;
  /** Reads the secrets of both registrations at the moment they are needed. */
  readonly readSecret: SecretReader;
  /** Finds documents; absent: a discovery of its own. */
  readonly discovery?: Discovery | undefined;
}

/** Creates the requests. */
export function createEnterpriseLegs(options: EnterpriseLegsOptions): EnterpriseLegs {
  const { http, clock, readSecret } = options;
  const discovery = options.discovery ?? new Discovery({ http, clock });
  const tools = { http, clock, readSecret };
  return {
    locate: ({ server, provider }, signal) => discovery.discover(server, { provider, signal }),
    forget: () => discovery.forget(),
    exchange: ({ server, provider }, { facts, ...presented }) =>
      requestIdJag({
        ...tools,
        ...presented,
        metadata: facts.provider,
        client: provider.client,
        audience: facts.authorizationServer.issuer,
        resource: facts.resource,
        redeemerId: server.client.clientId,
        allowMissingResource: server.allowMissingResource,
      }),
    redeem: ({ server }, { facts, ...presented }) =>
      redeemIdJag({
        ...tools,
        ...presented,
        metadata: facts.authorizationServer,
        client: server.client,
        resource: facts.resource,
      }),
    refresh: (provider, presented) => refresh({ provider, discovery, tools }, presented),
    revoke: async (provider, { token, signal }) => {
      try {
        const { value: metadata } = await discovery.provider(provider, { signal });
        const { client } = provider;
        return await revokeToken({ ...tools, metadata, client, token, hint: "refresh_token", signal });
      } catch (error) {
        if (error instanceof EnterpriseError) return { kind: "failed", error };
        throw error;
      }
    },
  };
}

interface Refreshing {
  readonly provider: EnterpriseProvider;
  readonly discovery: Discovery;
  readonly tools: Pick<EnterpriseLegsOptions, "http" | "clock" | "readSecret">;
}

async function refresh(
  { provider, discovery, tools }: Refreshing,
  { idToken: before, account, ...presented }: PresentedRefresh,
): Promise<Outcome<RenewedIdToken>> {
  const { value: metadata } = await discovery.provider(provider, presented);
  const { client } = provider;
  const outcome = await refreshGrant({ ...tools, ...presented, metadata, client });
  if (!outcome.succeeded) return outcome;
  const { idToken, receivedAt: now } = outcome.value;
  if (idToken === null) return { succeeded: true, value: { idToken: null, expiresAt: null } };
  const { issuer } = metadata;
  const identity = checkRenewedIdToken(idToken(), {
    before,
    account,
    issuer,
    clientId: client.clientId,
    now,
  });
  return { succeeded: true, value: { idToken, expiresAt: identity.expiresAt } };
}
