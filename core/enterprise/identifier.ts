/**
 * When two identifiers mean the same. Issuers are compared as strings, one by one; resources against the server's
 * URL by their parsed parts. Neither is ever rewritten: what is sent is what was configured or published.
 *
 * A missing or added slash after a bare origin is tolerated in three places, and each has a function here. Every
 * other comparison (`iss` of a callback, an ID token, an ID-JAG) is `===`. RFC 8414, 3.3; RFC 9728, 3.3.
 *
 * @module
 */

/** Whether two strings are equal, or differ by the slash after a bare origin. */
function isSameAtRoot(a: string, b: string): boolean {
  return a === b || isBareOrigin(a) && b === `${a}/` || isBareOrigin(b) && a === `${b}/`;
}

function isBareOrigin(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+$/i.test(text);
}

/** Whether the issuer in the configuration is this entry of the resource's `authorization_servers`. */
export function isPublishedIssuer(configured: string, published: string): boolean {
  return isSameAtRoot(configured, published);
}

/** Whether a metadata document with this `issuer` answers for the issuer that was `asked`. */
export function isAskedIssuer(asked: string, issuer: string): boolean {
  return isSameAtRoot(asked, issuer);
}

/**
 * Whether the published `resource` covers the configured `url`: same origin, same query, and the path of the
 * resource is that of the URL or a parent of it, cut at a slash. A bare origin has the path `/`.
 */
export function coversUrl(resource: string, url: string): boolean {
  if (!URL.canParse(resource) || !URL.canParse(url)) return false;
  const one = new URL(resource);
  const other = new URL(url);
  if (one.origin !== other.origin || one.search !== other.search) return false;
  if (one.pathname === other.pathname) return true;
  const parent = one.pathname.endsWith("/") ? one.pathname : `${one.pathname}/`;
  return other.pathname.startsWith(parent);
}
