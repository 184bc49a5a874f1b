/**
 * A `fetch` for one thread's use of one server: puts the bearer on, sends it to the configured URL and nowhere else,
 * and answers what a server may ask for in return: another bearer once, more scopes once.
 *
 * Which lease is used is decided in `leases/leases.ts`; in which runtime nothing is sent in
 * `transport/sending.ts`; what a challenge for scopes leads to in `core/enterprise/scope.ts`. RFC 6750, 2.1 and 3;
 * RFC 9470, 3; RFC 9700, 4.11.
 *
 * @module
 */

import { type CommitTag, isCurrent, tagOf } from "../../../core/enterprise/authorization/tag.ts";
import type { ThreadUse } from "../../../core/enterprise/authorization/use.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { scopeText, stepUp } from "../../../core/enterprise/scope.ts";
import { quote } from "../../../core/errors.ts";
import type { Authorization } from "../authorization/authorization.ts";
import type { ServerRegistry } from "../authorization/server_registry.ts";
import { superseded } from "../leases/lease_exchange.ts";
import type { HandedLease, Leases } from "../leases/leases.ts";
import type { ScopeMemory } from "../leases/scope_memory.ts";
import type { ScopedLeaseOptions } from "../leases/scoped_lease.ts";
import { readBearerChallenge } from "../transport/challenge.ts";
import { redactError } from "../transport/redact.ts";
import { requireSafeSending, type SendingRuntime } from "../transport/sending.ts";
import { outgoingOf, type OutgoingRequest } from "./bearer_request.ts";

/** What the function works with. */
export interface AuthenticatedFetchContext extends ThreadUse {
  /** The state of the authorization. */
  readonly authorization: Authorization;
  /** Says whether a lease may be sent. */
  readonly leases: Pick<Leases, "refusal">;
  /** Gives a lease. */
  readonly lease: (options: ScopedLeaseOptions) => Promise<HandedLease>;
  /** The servers. */
  readonly registry: ServerRegistry;
  /** Which scopes a thread was told to ask for, by thread and server. */
  readonly scopes: ScopeMemory;
  /** The runtime's own function. */
  readonly fetch: typeof globalThis.fetch;
  /** How that one sends. */
  readonly runtime: SendingRuntime;
  /** The error for a use that the state refuses. */
  readonly refused: (use: ThreadUse) => EnterpriseError;
  /** What the caller ends the request with; absent: the request's own. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends one request with a bearer. Any answer but a refusal of the bearer is handed on as it is. */
export async function fetchAuthenticated(
  request: Request,
  context: AuthenticatedFetchContext,
): Promise<Response> {
  const { authorization, registry, server, signal = request.signal } = context;
  // the URL is taken now, and so is the registration that it belongs to: a bearer for another one must not follow it
  const { fingerprint } = tagOf(authorization.state, server);
  let begun: CommitTag | null = null;
  const outgoing = await outgoingOf(request, { ...context, url: registry.find(context.server)?.server.url });
  await requireSafeSending(outgoing.url, { runtime: context.runtime, signal });
  let steppedUp: readonly string[] | null = null;
  for (let retried = false;;) {
    const lease = await context.lease({ scopes: steppedUp ?? undefined, signal });
    begun ??= tagOf(authorization.state, server);
    const unchanged = begun.fingerprint === fingerprint &&
      isCurrent(authorization.state, { tag: begun, server });
    if (!unchanged) throw superseded(server);
    const response = await send(outgoing, { lease, context, caller: signal });
    if (response.status !== 401 && response.status < 500) {
      authorization.dispatch({ kind: "bearer-accepted", lease: lease.lease });
    }
    if (response.status !== 401 && response.status !== 403) {
      if (steppedUp !== null) context.scopes.set(context, steppedUp);
      return response;
    }
    const challenge = await readBearerChallenge(response.headers.get("www-authenticate"));
    if (challenge?.error === "insufficient_user_authentication") {
      await discard(response);
      throw strongerSignIn(context);
    }
    if (response.status === 401) {
      await discard(response);
      authorization.dispatch({ kind: "bearer-refused", lease: lease.lease });
      if (retried) throw context.refused(context);
      retried = true;
      continue;
    }
    if (challenge?.error !== "insufficient_scope") return response;
    await discard(response);
    steppedUp = scopesAfter(challenge.scopes, { context, steppedUp });
  }
}

interface Sending {
  readonly lease: HandedLease;
  readonly context: AuthenticatedFetchContext;
  /** What its caller ends the request with. */
  readonly caller: AbortSignal;
}

/** Sends the request with one bearer, after asking once more whether it may. */
async function send(outgoing: OutgoingRequest, { lease, context, caller }: Sending): Promise<Response> {
  const { thread, server, leases, fetch } = context; // on its own: in a Worker it must not be called as a method
  if (leases.refusal({ thread, server, ...lease }) !== null) throw context.refused(context);
  const { headers } = outgoing;
  headers.set("authorization", `Bearer ${lease.token}`); // instead of the one that was refused
  let response: Response;
  try {
    response = await fetch(outgoing.url, { ...outgoing.init, headers, redirect: "manual" });
  } catch (error) {
    caller.throwIfAborted(); // whoever ends a request is told so in their own words
    if (outgoing.init.signal.aborted && error instanceof DOMException) throw error;
    const message = `Cannot reach the server ${quote(server)}: there is no connection`;
    throw new EnterpriseError("TEMPORARILY_UNAVAILABLE", message, {
      reason: "network",
      cause: redactError(error),
    });
  }
  if (response.type !== "opaqueredirect" && (response.status < 300 || response.status > 399)) return response;
  await discard(response);
  const message = `Cannot use the server ${quote(server)}: it redirects, and a bearer is never sent on. ` +
    "Configure the URL that it redirects to";
  throw new EnterpriseError("URL_REFUSED", message, { reason: "redirected", section: "RFC 9700, 4.11" });
}

function scopesAfter(
  asked: readonly string[] | null,
  { context, steppedUp }: {
    readonly context: AuthenticatedFetchContext;
    readonly steppedUp: readonly string[] | null;
  },
): readonly string[] {
  const configuration = context.registry.find(context.server)?.server;
  const decided = stepUp({
    configured: configuration?.scopes ?? null,
    allowed: configuration?.allowedScopes ?? null,
    challenge: scopeText(asked),
    steppedUp: steppedUp !== null,
  });
  if (decided.scopes !== undefined) return decided.scopes;
  const states = {
    "only-once": "it asks for more scopes after it got what it asked for",
    "challenge-without-scope": "it asks for more scopes and does not say which",
    "not-allowed": "it asks for a scope that allow_scopes does not list",
  };
  const message = `Cannot use the server ${quote(context.server)}: ${states[decided.refused]}`;
  throw new EnterpriseError("SCOPE_REFUSED", message, { reason: decided.refused, section: "RFC 6750, 3.1" });
}

/** Blocks the server until there is a new sign-in. The bearer was refused, so it was leg 2's. */
function strongerSignIn(context: AuthenticatedFetchContext): EnterpriseError {
  const { authorization, server } = context;
  const tag = tagOf(authorization.state, server);
  const refusal = { leg: "redemption", meaning: "stronger-sign-in" } as const;
  authorization.dispatch({ kind: "request-failed", tag, server, ...refusal });
  return context.refused(context);
}

/** Lets go of an answer whose body nobody reads. */
async function discard(response: Response): Promise<void> {
  await response.body?.cancel();
}
