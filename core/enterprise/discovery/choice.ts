/**
 * Which authorization server is used: the configured one, which the resource must publish; else the first published
 * one that supports the profile, of a bounded number. A server that says nothing about the profile is taken only
 * when none names it.
 *
 * The documents themselves are read in `resource_metadata.ts` and `server_metadata.ts`. RFC 9728, 7.6; ID-JAG
 * (draft -04), 7.2.
 *
 * @module
 */

import { isPublishedIssuer } from "../identifier.ts";
import { quoteUrl } from "../url.ts";
import { accept, type Refusal, refuse, type Verdict } from "../verdict.ts";
import type { ServerMetadata } from "./server_metadata.ts";

/** How many published authorization servers are asked at most. */
export const MAX_AUTHORIZATION_SERVERS = 5;

/** Why no authorization server is asked or taken. */
export type ChoiceReason = "none-published" | "not-published" | "none-suitable";

/** What is known before a server is asked. */
export interface CandidateFacts {
  /** The published issuers; `null`: the list is absent, which says nothing. */
  readonly published: readonly string[] | null;
  /** The configured issuer; `null`: none. */
  readonly configured: string | null;
}

/**
 * The issuers to ask, in order: the configured one as it is published, or the first published ones, each once. The
 * notes say when some were left out.
 */
export function candidateIssuers(
  { published, configured }: CandidateFacts,
): Verdict<readonly string[], ChoiceReason> {
  if (configured !== null) {
    if (published === null) return accept([configured]);
    const entry = published.includes(configured)
      ? configured
      : published.find((issuer) => isPublishedIssuer(configured, issuer));
    if (entry !== undefined) return accept([entry]);
    return refuse(
      ["not-published", "RFC 9728, 2"],
      `Cannot use the authorization server ${quoteUrl(configured)}: the resource does not publish it`,
    );
  }
  const issuers = [...new Set(published ?? [])];
  if (issuers.length === 0) {
    return refuse(
      ["none-published", "RFC 9728, 2"],
      "Cannot find the authorization server: the resource publishes none. Configure authorization_server_issuer",
    );
  }
  const asked = issuers.slice(0, MAX_AUTHORIZATION_SERVERS);
  const left = issuers.length - asked.length;
  return accept(
    asked,
    left === 0 ? [] : [{
      reason: "candidates-left-out",
      message:
        `${left} more published authorization servers are not asked. Configure authorization_server_issuer`,
    }],
  );
}

/** Chooses among the answers, which are in the order of {@linkcode candidateIssuers}. */
export function chooseAuthorizationServer(
  answers: readonly Verdict<ServerMetadata>[],
): Verdict<ServerMetadata, ChoiceReason> {
  const suitable = answers.filter((answer) => answer.accepted);
  const chosen = suitable.find(({ value }) => value.profile === "supported") ?? suitable[0];
  if (chosen !== undefined) return accept(chosen.value, chosen.notes);
  const refusals = answers.flatMap((answer): Refusal[] => answer.accepted ? [] : [answer.refusal]);
  const [first] = refusals;
  return refuse(
    ["none-suitable", "ID-JAG -04, 7.2"],
    first === undefined
      ? "Cannot find the authorization server: none answered"
      : `Cannot find a suitable authorization server: ${first.message}`,
  );
}
