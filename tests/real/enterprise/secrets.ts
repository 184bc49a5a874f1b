/**
 * Where the secrets of an enterprise test bed went, and whether something shows one.
 *
 * @module
 */

import { inspect } from "node:util";
import { type EnterpriseBed, findSecret } from "../../fixtures/enterprise/mod.ts";

/** Each secret that went somewhere else than to the one server that it is for, or in another request than a POST. */
export function strayed(bed: EnterpriseBed): readonly string[] {
  const entries = bed.wire.entries();
  return bed.secretsInPlay().flatMap((secret) => {
    const places = new Set(findSecret(entries, secret).map(({ site, method }) => `${method} ${site}`));
    const right = places.size === 0 || places.size === 1 && (places.has("POST idp") || places.has("POST as"));
    return right ? [] : [[...places].join(", ")];
  });
}

/** The secrets that can be read in what `value` shows when it is printed in full. */
export function shown(bed: EnterpriseBed, value: unknown): readonly string[] {
  const text = [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    value instanceof Error ? `${value.stack} ${JSON.stringify({ ...value, cause: value.cause })}` : "",
    JSON.stringify(value) ?? "",
  ].join("\n");
  return bed.secretsInPlay().filter((secret) => text.includes(secret));
}
