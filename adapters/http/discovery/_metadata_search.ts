/**
 * Looks for one discovery document at all its places. The places are asked at the same time, and the first one in
 * their order that holds an acceptable document wins; a place whose document is kept is asked alone, if at all. Only
 * here are requests repeated: documents are read, nothing is changed by reading them twice.
 *
 * One place is asked by `_metadata_request.ts`; the places and the checks come from `core/enterprise/discovery`
 * through `discovery.ts`.
 *
 * @module
 */

import type { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { Accepted, Refusal, Verdict } from "../../../core/enterprise/verdict.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { HttpPort, HttpResponse } from "../../../core/ports/http.ts";
import { headerOf } from "../transport/document.ts";
import { freshSeconds } from "./_freshness.ts";
import type { MetadataCache } from "./_metadata_cache.ts";
import { askPlace, type PlaceAnswer } from "./_metadata_request.ts";

/** How often a place is asked at most. */
export const MAX_ATTEMPTS = 3;

/** Longest time between two attempts, in seconds; a server that asks for more is not waited for. */
export const MAX_RETRY_SECONDS = 5;

/** What is looked for. */
export interface Search<Value> {
  /** Where it may be, in order. */
  readonly places: readonly string[];
  /** Checks a document. */
  readonly read: (document: unknown) => Verdict<Value>;
}

/** What the search works with. */
export interface SearchTools {
  readonly http: HttpPort;
  readonly clock: ClockPort;
  readonly cache: MetadataCache;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  /** After how many seconds one place is given up. */
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** What the search found. */
export type SearchResult<Value> =
  | { readonly kind: "found"; readonly accepted: Accepted<Value> }
  /** A document was found and refused, or (`found: false`) something that is no document. */
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly found: boolean }
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable"; readonly error: EnterpriseError; readonly retryAfter: number | null };

/**
 * Searches.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when certificate checks are switched off.
 * @throws {EnterpriseError} `URL_REFUSED` when an address breaks the rules.
 */
export async function searchDocument<Value>(
  search: Search<Value>,
  tools: SearchTools,
): Promise<SearchResult<Value>> {
  const kept = await fromCache(search, tools);
  if (kept !== null) return { kind: "found", accepted: kept };
  const results = new Map<string, Reading<Value>>();
  let open = search.places;
  for (let attempt = 1;; attempt += 1) {
    const asked = await Promise.all(open.map((place) => readPlace(place, { search, tools })));
    for (const [index, place] of open.entries()) {
      const reading = asked[index];
      if (reading !== undefined) results.set(place, reading);
    }
    const result = conclude(search.places.flatMap((place) => results.get(place) ?? []));
    if (result.kind !== "unavailable" || attempt >= MAX_ATTEMPTS) return result;
    open = search.places.filter((place) => isRepeatable(results.get(place)));
    const wait = Math.max(result.retryAfter ?? 0, 0.25 * 2 ** (attempt - 1) * (0.5 + tools.random()));
    if (open.length === 0 || wait > MAX_RETRY_SECONDS) return result;
    if (!await tools.clock.sleep(wait, tools.signal)) return result;
  }
}

/** What one place holds, checked. */
type Reading<Value> =
  | { readonly kind: "accepted"; readonly accepted: Accepted<Value> }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | Exclude<PlaceAnswer, { readonly kind: "document" | "unchanged" }>;

interface Place<Value> {
  readonly search: Search<Value>;
  readonly tools: SearchTools;
}

async function readPlace<Value>(url: string, { search, tools }: Place<Value>): Promise<Reading<Value>> {
  const { cache, clock } = tools;
  const answer = await askPlace(url, { ...tools, etag: null, now: clock.now() });
  if (answer.kind === "unchanged") return { kind: "absent" };
  if (answer.kind !== "document") return answer;
  const verdict = search.read(answer.document);
  if (!verdict.accepted) return { kind: "refused", refusal: verdict.refusal };
  keep(url, { cache, document: answer.document, response: answer.response, now: clock.now() });
  return { kind: "accepted", accepted: verdict };
}

/** The kept document, if there is an acceptable one: a fresh one as it is, a stale one when it has not changed. */
async function fromCache<Value>(search: Search<Value>, tools: SearchTools): Promise<Accepted<Value> | null> {
  const { cache, clock } = tools;
  for (const url of search.places) {
    const cached = cache.find(url);
    if (cached === null) continue;
    const verdict = search.read(cached.document);
    if (verdict.accepted && clock.now() < cached.freshUntil) return verdict;
    if (!verdict.accepted || cached.etag === null) {
      cache.drop(url);
      continue;
    }
    const answer = await askPlace(url, { ...tools, etag: cached.etag, now: clock.now() });
    const fresh = answer.kind === "document" ? search.read(answer.document) : verdict;
    const usable = answer.kind === "document" || answer.kind === "unchanged";
    if (!usable || !fresh.accepted) {
      cache.drop(url);
      continue;
    }
    const document = answer.kind === "document" ? answer.document : cached.document;
    keep(url, { cache, document, response: answer.response, now: clock.now(), etag: cached.etag });
    return fresh;
  }
  return null;
}

interface Kept {
  readonly cache: MetadataCache;
  readonly document: unknown;
  readonly response: HttpResponse;
  readonly now: number;
  /** The validator that was confirmed, when the answer repeats none. */
  readonly etag?: string;
}

function keep(url: string, { cache, document, response, now, etag: confirmed }: Kept): void {
  const seconds = freshSeconds(response);
  const etag = headerOf(response, "etag") ?? confirmed ?? null;
  if (seconds === null || seconds === 0 && etag === null) cache.drop(url);
  else cache.keep(url, { document, etag, freshUntil: now + seconds });
}

function isRepeatable(reading: Reading<unknown> | undefined): boolean {
  return reading?.kind === "unavailable" && reading.again;
}

/** One result of all places: an acceptable document, else an outage, else the first refusal. */
function conclude<Value>(readings: readonly Reading<Value>[]): SearchResult<Value> {
  const accepted = readings.find((one) => one.kind === "accepted");
  if (accepted !== undefined) return { kind: "found", accepted: accepted.accepted };
  const unavailable = readings.filter((one) => one.kind === "unavailable");
  const [first] = unavailable;
  if (first !== undefined) {
    const asked = unavailable.map(({ retryAfter }) => retryAfter ?? 0);
    const longest = Math.max(...asked);
    return { kind: "unavailable", error: first.error, retryAfter: longest > 0 ? longest : null };
  }
  const refused = readings.find((one) => one.kind === "refused");
  if (refused !== undefined) return { kind: "refused", refusal: refused.refusal, found: true };
  const flawed = readings.find((one) => one.kind === "flawed");
  return flawed === undefined
    ? { kind: "absent" }
    : { kind: "refused", refusal: flawed.refusal, found: false };
}
