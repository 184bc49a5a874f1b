/**
 * For how long a discovery document may be used without asking again: what its headers say, within bounds of ours.
 *
 * The documents are kept in `_metadata_cache.ts`. RFC 9111, 4.2 and 5.2.2 (June 2022).
 *
 * @module
 */

import type { HttpResponse } from "../../../core/ports/http.ts";
import { headerOf } from "../transport/document.ts";

/** Longest time without asking again, in seconds, whatever the headers say. */
export const MAX_FRESH_SECONDS = 3600;

/** The time when the headers say nothing, in seconds. */
export const UNKNOWN_FRESH_SECONDS = 300;

/** Seconds that the document stays fresh, 0 when it is asked for each time; `null` when it must not be kept. */
export function freshSeconds(response: Pick<HttpResponse, "headers">): number | null {
  const directives = new Map(
    (headerOf(response, "cache-control") ?? "").split(",").map((part): [string, string] => {
      const [name = "", value = ""] = part.split("=");
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', "")];
    }),
  );
  if (directives.has("no-store")) return null;
  if (directives.has("no-cache")) return 0;
  const maxAge = directives.get("max-age");
  if (maxAge === undefined) return UNKNOWN_FRESH_SECONDS;
  if (!/^\d+$/.test(maxAge)) return 0;
  const age = headerOf(response, "age") ?? "0";
  const elapsed = /^\d+$/.test(age) ? Number(age) : 0;
  return Math.max(0, Math.min(Number(maxAge) - elapsed, MAX_FRESH_SECONDS));
}
