/**
 * A lease with the right scopes: those that a challenge asks for now, else those that it asked for before and that were
 * got, else the configured ones. What can no longer be got is forgotten.
 *
 * Which scopes a challenge may lead to is decided in `core/enterprise/scope.ts`.
 *
 * @module
 */

import type { ThreadUse } from "../../../core/enterprise/authorization/use.ts";
import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { isWithin } from "../../../core/enterprise/scope.ts";
import type { ServerRegistry } from "../authorization/server_registry.ts";
import type { HandedLease, Leases } from "./leases.ts";
import type { ScopeMemory } from "./scope_memory.ts";

/** What a lease is asked with. */
export interface ScopedLeaseOptions {
  /** The scopes that a challenge asks for now; absent: none does. */
  readonly scopes?: readonly string[] | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a lease comes from. */
export interface ScopedLeaseContext extends ScopedLeaseOptions {
  /** Hands out leases. */
  readonly leases: Pick<Leases, "lease">;
  /** The servers. */
  readonly registry: Pick<ServerRegistry, "find">;
  /** The scopes of step-ups. */
  readonly memory: ScopeMemory;
}

/** What was got before, as long as the configuration allows it. */
function allowedOf(
  got: readonly string[] | undefined,
  server: Pick<EnterpriseServer, "scopes" | "allowedScopes"> | undefined,
): readonly string[] | undefined {
  const allowed = server?.allowedScopes ?? null;
  if (got === undefined || allowed === null) return got;
  return isWithin(got, [...allowed, ...server?.scopes ?? []]) ? got : undefined;
}

/**
 * A lease for the use.
 *
 * @throws {EnterpriseError} `SIGN_IN_REQUIRED` when nobody is signed in; any other code as its name says.
 */
export async function scopedLease(use: ThreadUse, context: ScopedLeaseContext): Promise<HandedLease> {
  const { leases, registry, memory, scopes: asked, signal } = context;
  const server = registry.find(use.server)?.server;
  const got = allowedOf(memory.get(use), server);
  const scopes = asked ?? got ?? server?.scopes ?? null;
  try {
    return await leases.lease({ ...use, scopes, stepUp: (asked ?? got) !== undefined, signal });
  } catch (error) {
    const lost = error instanceof EnterpriseError &&
      (error.code === "SCOPE_REFUSED" || error.code === "ADMINISTRATOR_REFUSED");
    if (lost) memory.forget(use);
    throw error;
  }
}
