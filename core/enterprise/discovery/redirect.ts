/**
 * Where the reading of a discovery document may be sent on: by a redirect, and by the challenge of a server whose
 * metadata is found no other way. Both stay on the origin. Whatever carries a credential, an assertion or a bearer
 * follows no redirect at all.
 *
 * The first places are listed in `well_known.ts`. RFC 9728, 5.1 (April 2025); RFC 9110, 15.4.
 *
 * @module
 */

import { isSameOrigin, urlFlaw } from "../url.ts";

/** How many redirects the reading of one document follows at most. */
export const MAX_METADATA_REDIRECTS = 3;

/** A redirect that a metadata request met. */
export interface MetadataRedirect {
  /** The URL that was asked. */
  readonly from: string;
  /** The `Location` of the answer; `null`: it has none. */
  readonly location: string | null;
  /** How many redirects were followed before this one. */
  readonly followed: number;
}

/** Where to go on; `null` when the redirect is not followed: the fourth, another origin, or no usable URL. */
export function redirectTarget({ from, location, followed }: MetadataRedirect): string | null {
  if (location === null || followed >= MAX_METADATA_REDIRECTS || !URL.canParse(location, from)) return null;
  const target = new URL(location, from);
  target.hash = "";
  return isSameOrigin(target.href, from) && urlFlaw(target.href, { anchor: from }) === null
    ? target.href
    : null;
}

/**
 * The `resource_metadata` of a challenge by the server at `url`, if the document may be read there: an absolute URL on
 * the same origin; else `null`.
 */
export function challengeMetadataUrl(url: string, resourceMetadata: unknown): string | null {
  if (typeof resourceMetadata !== "string" || urlFlaw(resourceMetadata, { anchor: url }) !== null) {
    return null;
  }
  return isSameOrigin(resourceMetadata, url) ? resourceMetadata : null;
}
