/**
 * Where discovery documents are looked for, in order. URLs are put together from the text of the identifier, so that
 * its spelling survives. What a document must hold is decided in `resource_metadata.ts` and `server_metadata.ts`.
 *
 * RFC 9728, 3.1 (April 2025); RFC 8414, 3.1 and 5 (June 2018); OpenID Connect Discovery 1.0, 4.
 *
 * @module
 */

interface Parts {
  readonly origin: string;
  readonly path: string;
  readonly query: string;
}

function partsOf(identifier: string): Parts | null {
  const match = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]+)([^?#]*)(\?[^#]*)?$/i.exec(identifier);
  if (match === null) return null;
  const [, origin = "", path = "", query = ""] = match;
  return { origin, path: path === "/" ? "" : path, query };
}

/**
 * Where the metadata of the protected resource `url` may be: inserted before the path, then at the root. Empty when
 * `url` is none. A third place, the `resource_metadata` of a challenge, counts only on the same origin.
 *
 * @example
 * ```ts
 * import { resourceMetadataUrls } from "./well_known.ts";
 *
 * console.log(resourceMetadataUrls("https://mcp.example/a"));
 * // [
 * //   "https://mcp.example/.well-known/oauth-protected-resource/a",
 * //   "https://mcp.example/.well-known/oauth-protected-resource",
 * // ]
 * ```
 */
export function resourceMetadataUrls(url: string): readonly string[] {
  const parts = partsOf(url);
  if (parts === null) return [];
  const root = `${parts.origin}/.well-known/oauth-protected-resource`;
  return [...new Set([`${root}${parts.path}${parts.query}`, root])];
}

/**
 * Where the metadata of `issuer` may be: OAuth, inserted before the path; OpenID Connect, inserted; OpenID Connect,
 * appended. A slash at the end of the issuer is dropped here and nowhere else. Empty when `issuer` is no issuer.
 */
export function serverMetadataUrls(issuer: string): readonly string[] {
  const parts = partsOf(issuer);
  if (parts === null || parts.query !== "") return [];
  const path = parts.path.replace(/\/$/, "");
  return [
    ...new Set([
      `${parts.origin}/.well-known/oauth-authorization-server${path}`,
      `${parts.origin}/.well-known/openid-configuration${path}`,
      `${parts.origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}
