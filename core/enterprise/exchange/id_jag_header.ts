/**
 * The header of an ID-JAG: signed by an algorithm that it names, of its own type, and without extensions that whoever
 * reads it has to understand.
 *
 * The claims are checked in `id_jag.ts`. RFC 7515, 4.1.11; RFC 8725, 3.2 and 3.11; ID-JAG (draft -04), 3.1.
 *
 * @module
 */

import { ownProperty } from "../../json/value.ts";
import type { CompactToken } from "./jwt.ts";

/** What is wrong with the header, in the order of the checks. */
export type HeaderReason = "signature" | "algorithm" | "critical" | "type";

/** The reason, the specification and section, and the state to follow the token in a sentence. */
export type HeaderFlaw = readonly [reason: HeaderReason, section: string, state: string];

/** What is wrong with the header of a signed token; `null` when nothing is. */
export function headerFlaw(
  { header, signed }: Pick<Extract<CompactToken, { readonly kind: "signed" }>, "header" | "signed">,
): HeaderFlaw | null {
  const algorithm = ownProperty(header, "alg");
  if (!signed) return ["signature", "RFC 8725, 3.2", "it has no signature"];
  if (typeof algorithm !== "string" || algorithm === "" || algorithm.toLowerCase() === "none") {
    return ["algorithm", "RFC 8725, 3.2", "it names no algorithm of signature"];
  }
  if (ownProperty(header, "crit") !== undefined) {
    const state = "its header asks for extensions (crit), and none is supported";
    return ["critical", "RFC 7515, 4.1.11", state];
  }
  return ownProperty(header, "typ") === "oauth-id-jag+jwt"
    ? null
    : ["type", "RFC 8725, 3.11", "its typ is not oauth-id-jag+jwt"];
}
