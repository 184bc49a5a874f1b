/**
 * One endpoint of a metadata document. Whatever takes a credential lies on the issuer's origin, unless the layer of
 * configuration that names the issuer also names the exact URL. Pages for the browser and key sets may lie elsewhere.
 *
 * The rules for addresses are in `url.ts`. RFC 8414, 2; RFC 9700, 4.4 (mix-up).
 *
 * @module
 */

import { ownProperty } from "../../json/value.ts";
import { isSameOrigin, quoteUrl, urlFlaw, urlFlawText } from "../url.ts";
import { accept, refuse, type Verdict } from "../verdict.ts";

/** Why an endpoint is refused. */
export type EndpointReason =
  | "token-endpoint-missing"
  | "endpoint-malformed"
  | "endpoint-unusable"
  | "endpoint-off-origin"
  | "endpoint-moved";

/** Which endpoint is read. */
export interface EndpointOptions {
  /** Its name in the document. */
  readonly name: string;
  /**
   * The URL that the configuration names exactly; `null`: none, and the endpoint must be on the issuer's origin;
   * `undefined`: it may be anywhere, because nothing secret goes there.
   */
  readonly exact: string | null | undefined;
  /** The issuer of the document. */
  readonly issuer: string;
  /** The configured URL that the reading began with. */
  readonly anchor: string;
}

/**
 * Reads the endpoint; `null` when the document does not name it and the configuration neither. A document that
 * names another URL than the configuration is refused: one of them is out of date.
 */
export function readEndpoint(
  document: unknown,
  { name, exact, issuer, anchor }: EndpointOptions,
): Verdict<string | null, EndpointReason> {
  const published = ownProperty(document, name);
  if (published === undefined) return accept(exact ?? null);
  const what = `Cannot use the ${name} of ${quoteUrl(issuer)}`;
  if (typeof published !== "string") {
    return refuse(["endpoint-malformed", "RFC 8414, 2"], `${what}: it is no string`);
  }
  if (typeof exact === "string") {
    return published === exact ? accept(exact) : refuse(
      ["endpoint-moved", "RFC 8414, 2"],
      `${what}: the metadata says ${quoteUrl(published)}, the configuration ${quoteUrl(exact)}`,
    );
  }
  const flaw = urlFlaw(published, { anchor });
  if (flaw !== null) {
    return refuse(["endpoint-unusable", "MCP EMA, 7.3"], `${what}: ${urlFlawText(flaw)}`);
  }
  if (exact === null && !isSameOrigin(published, issuer)) {
    return refuse(
      ["endpoint-off-origin", "RFC 9700, 4.4"],
      `${what}: ${quoteUrl(published)} is on another origin. Configure the exact URL if that is meant`,
    );
  }
  return accept(published);
}
