/**
 * Lists of capabilities in discovery documents, read three ways: absent says nothing, present and lacking refuses,
 * malformed is an error. The defaults that RFC 8414 gives to absent lists are not used: servers leave lists out that
 * they would support.
 *
 * What a server needs is decided in `server_metadata.ts`.
 *
 * @module
 */

import { ownProperty } from "../../json/value.ts";

/** What a document says about one capability. */
export type Capability = "supported" | "unknown" | "unsupported" | "malformed";

/** The list under `name`; `null` when it is absent, `undefined` when it is no list of strings. */
export function listOf(document: unknown, name: string): readonly string[] | null | undefined {
  const value = ownProperty(document, name);
  if (value === undefined) return null;
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

/** What `document` says about `value` in the list `name`. */
export function capabilityOf(
  document: unknown,
  [name, value]: readonly [name: string, value: string],
): Capability {
  const list = listOf(document, name);
  if (list === undefined) return "malformed";
  if (list === null) return "unknown";
  return list.includes(value) ? "supported" : "unsupported";
}
