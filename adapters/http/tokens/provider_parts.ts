/**
 * Puts the parts of one client of one identity provider together: state, grant, servers, leases.
 *
 * What they do together is in `provider_tokens.ts`.
 *
 * @module
 */

import type { ThreadUse, UseRefusal } from "../../../core/enterprise/authorization/use.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { Authorization } from "../authorization/authorization.ts";
import { ServerRegistry } from "../authorization/server_registry.ts";
import { freshGeneration } from "../grants/fresh_generation.ts";
import { GrantWork } from "../grants/grant_work.ts";
import { Leases } from "../leases/leases.ts";
import { RetryAfter } from "../leases/retry_after.ts";
import { authorizationOf, ScopeMemory } from "../leases/scope_memory.ts";
import { SharedLeaseClaims } from "../leases/shared_lease_claims.ts";
import type { ProviderTokensOptions } from "./provider_options.ts";

/** How long getting one token may take when nothing else is said, in seconds. */
const DEFAULT_DEADLINE = 30;

/** The parts. */
export interface ProviderParts {
  /** State and grant. */
  readonly authorization: Authorization;
  /** The servers. */
  readonly registry: ServerRegistry;
  /** The scopes of step-ups. */
  readonly scopes: ScopeMemory;
  /** The leases. */
  readonly leases: Leases;
}

/** What the parts ask back. */
export interface ProviderPartsHolder {
  /** The identity provider, as it is configured now for this server. */
  readonly current: (server: string) => EnterpriseProvider;
  /** The error for a use that is refused. */
  readonly refused: (refusal: UseRefusal, use: ThreadUse) => EnterpriseError;
}

/** Creates the parts. */
export function createProviderParts(
  options: ProviderTokensOptions,
  holder: ProviderPartsHolder,
): ProviderParts {
  const { source, random = Math.random, deadline = DEFAULT_DEADLINE } = options;
  const pauses = new RetryAfter(options.clock);
  const legs = pauses.over(options.legs);
  const scopes = new ScopeMemory((use) => authorizationOf(authorization.state, use));
  const registry = new ServerRegistry();
  const { sharedLeases, clock } = options;
  const claims = sharedLeases === undefined
    ? undefined
    : new SharedLeaseClaims({ leases: sharedLeases, clock, deadline });
  const authorization: Authorization = new Authorization({
    ownerFrom: options.ownerFrom ?? "sign-in",
    grantWork: (authorization) =>
      new GrantWork(authorization, {
        provider: holder.current,
        source,
        legs,
        newGeneration: freshGeneration,
        deadline,
      }),
    onState: (state) => options.onState?.(state, options.provider),
    onEffect: (effect) => {
      if (effect.kind === "revoke-thread") scopes.forget(effect);
      if (effect.kind === "drop-lease") claims?.drop(effect.lease, authorization.state.leases);
      options.onEffect?.(effect);
    },
  });
  const leases = new Leases({
    ...options,
    authorization,
    registry,
    legs,
    pauses,
    claims,
    random,
    deadline,
    refused: holder.refused,
  });
  return { authorization, registry, scopes, leases };
}

/** Ends what waits for the keyring when a token would be given up. */
export function deadlineOf(
  { deadline = DEFAULT_DEADLINE }: Pick<ProviderTokensOptions, "deadline">,
): AbortSignal {
  return AbortSignal.timeout(deadline * 1000);
}

/** Passes over an error of ours: what is wrong with the keyring is said at the first use. */
export function ignoreOurs(error: unknown): void {
  if (!(error instanceof EnterpriseError)) throw error;
}
