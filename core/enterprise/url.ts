/**
 * Which URLs may be used at all, and which of them a document may lead to.
 *
 * An accepted text stays as it is: nothing here gives back what the URL parser made of it. How two identifiers are
 * compared is decided in `identifier.ts`; on whose origin an endpoint must lie in `discovery/server_metadata.ts`.
 * MCP EMA (stable), 7.3; RFC 9700, 2.6; RFC 6749, 3.1.2 and 3.2.
 *
 * @module
 */

import { quote } from "../errors.ts";
import { hostKind, isPlainLoopback } from "./host_kind.ts";

/** Longest URL that is looked at, in characters. */
const MAX_URL_LENGTH = 4096;

/** What is wrong with a URL. */
export type UrlFlaw =
  /** It is no absolute URL, is too long, or holds characters that a URL parser drops or rewrites. */
  | "malformed"
  /** Its scheme is not https, nor http on a configured loopback address. */
  | "scheme"
  /** It holds a user name or a password. */
  | "userinfo"
  /** It holds a fragment, an empty one included. */
  | "fragment"
  /** It holds a query, where none may be. */
  | "query"
  /** It leads to a loopback, link-local or unspecified address, and what names it does not lie there. */
  | "address";

/** Where a URL stands. */
export interface UrlOptions {
  /**
   * The configured URL that the reading began with: the MCP server's, or the identity provider's issuer. Absent:
   * the URL is itself configured by host policy.
   */
  readonly anchor?: string | undefined;
}

/**
 * What is wrong with `text` as a URL that we would send something to; `null` when nothing is. Checked in this
 * order: spelling, userinfo, fragment, address, scheme.
 *
 * A document from elsewhere never leads to a loopback, link-local or unspecified address. A configured loopback
 * URL may lead to loopback addresses, and only there plain http is accepted.
 *
 * @example
 * ```ts
 * import { urlFlaw } from "./url.ts";
 *
 * console.log(urlFlaw("https://mcp.example/mcp")); // null
 * console.log(urlFlaw("http://127.0.0.1:8080/token", { anchor: "https://mcp.example/mcp" })); // address
 * ```
 */
export function urlFlaw(text: string, { anchor }: UrlOptions = {}): UrlFlaw | null {
  if (text.length > MAX_URL_LENGTH) return "malformed";
  // The parser drops tabs and line ends, trims, reads \ as / and rewrites what is not ASCII.
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\"<>^`{|}]/.test(text)) return "malformed";
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return "malformed";
  if (authorityOf(text).includes("@")) return "userinfo";
  if (text.includes("#")) return "fragment";
  const { protocol, hostname } = new URL(text);
  const kind = hostKind(hostname);
  const local = anchor === undefined ? kind === "loopback" : isLoopbackUrl(anchor);
  if (anchor !== undefined && kind !== "public" && !(kind === "loopback" && local)) return "address";
  if (protocol === "https:") return null;
  return protocol === "http:" && local && isPlainLoopback(hostname) ? null : "scheme";
}

/** The same for an issuer identifier, which holds no query either (RFC 8414, 2). */
export function issuerFlaw(text: string, options: UrlOptions = {}): UrlFlaw | null {
  return urlFlaw(text, options) ?? (text.includes("?") ? "query" : null);
}

/** Whether the host of `text` is a loopback address; `false` when `text` is no URL. */
export function isLoopbackUrl(text: string): boolean {
  return URL.canParse(text) && hostKind(new URL(text).hostname) === "loopback";
}

/** Whether both are URLs of one origin. */
export function isSameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}

/** Why a URL with `flaw` is refused, to follow the URL in a sentence. */
export function urlFlawText(flaw: UrlFlaw): string {
  switch (flaw) {
    case "malformed":
      return "it is not an absolute URL in plain ASCII";
    case "scheme":
      return "it must be https (http only on a loopback address that host policy configures)";
    case "userinfo":
      return "it must not hold a user name or password";
    case "fragment":
      return "it must not hold a fragment";
    case "query":
      return "an issuer must not hold a query";
    case "address":
      return "a document from elsewhere must not lead to a loopback, link-local or unspecified address";
  }
}

/** `url` as it may stand in a message: cut, and without what could be a credential. */
export function quoteUrl(url: string): string {
  const bare = url.replace(/[?#][\s\S]*$/, "");
  return quote(authorityOf(bare).includes("@") ? "a URL with a user name" : bare);
}

/** What stands between `//` and the path of a URL's text. */
function authorityOf(text: string): string {
  return /^[^/?#]*:\/\/([^/?#]*)/.exec(text)?.[1] ?? "";
}
