/**
 * The one look into a state: its `permissionProfile.type`, to report what a run was and to let an operator
 * refuse states that sandbox nothing. It decides nothing else, and nothing else in this package looks.
 *
 * @module
 */

import { type JsonValue, ownProperty } from "../json/value.ts";

/** What a state's permission profile is, as far as this package knows. */
export type ProfileKind =
  /** A profile that Codex enforces. */
  | "managed"
  /** No sandbox: the command runs with all the rights of the launcher. */
  | "disabled"
  /** A type that this package does not know, or none. */
  | "unknown";

/** Reads the kind of the permission profile from a state, whatever else is in it. Never throws. */
export function inspectProfile(state: JsonValue): ProfileKind {
  const type = ownProperty(ownProperty(state, "permissionProfile"), "type");
  return type === "managed" || type === "disabled" ? type : "unknown";
}
