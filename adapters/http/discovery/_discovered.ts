/**
 * What a search ends in, as discovery hands it on: a document, or the error that says why there is none.
 *
 * The search itself is in `_metadata_search.ts`; several authorization servers are weighed in `discovery.ts`.
 * RFC 8414, 3.
 *
 * @module
 */

import type { ServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import { type Note, type Refusal, refusalError, type Verdict } from "../../../core/enterprise/verdict.ts";
import type { SearchResult } from "./_metadata_search.ts";

/** A document that was found and accepted. */
export interface Discovered<Value> {
  /** What it says. */
  readonly value: Value;
  /** What is unusual about it. */
  readonly notes: readonly Note[];
}

/** Everything that an exchange for a server needs to know. */
export interface ExchangeFacts {
  /** The resource identifier that is sent: the configured one, else the published one, verbatim. */
  readonly resource: string;
  /** The authorization server; its `issuer` is the audience that is sent. */
  readonly authorizationServer: ServerMetadata;
  /** The identity provider. */
  readonly provider: ServerMetadata;
  /** What is unusual, in the order resource, authorization server, identity provider. */
  readonly notes: readonly Note[];
}

/**
 * The document of `result`; `what` names it in a sentence.
 *
 * @throws {EnterpriseError} `DISCOVERY_REFUSED` when there is none, or it is refused.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when it cannot be read now.
 */
export function found<Value>(result: SearchResult<Value>, what: string): Discovered<Value> {
  if (result.kind === "found") return { value: result.accepted.value, notes: result.accepted.notes };
  if (result.kind === "unavailable") throw result.error;
  const refusal = result.kind === "refused" ? result.refusal : notFound(what);
  throw refusalError(refusal, { code: "DISCOVERY_REFUSED" });
}

/** `result` as one of several answers to choose among. An outage is none: it counts as not found. */
export function asVerdict(result: SearchResult<ServerMetadata>): Verdict<ServerMetadata> {
  if (result.kind === "found") return result.accepted;
  return {
    accepted: false,
    refusal: result.kind === "refused" ? result.refusal : notFound("the metadata of an authorization server"),
  };
}

function notFound(what: string): Refusal<"not-found"> {
  return { reason: "not-found", section: "RFC 8414, 3", message: `Cannot find ${what}: no place holds it` };
}
