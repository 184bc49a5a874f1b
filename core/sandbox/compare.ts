/**
 * Comparing two captured authorities: is what a later call brings still what was retained?
 *
 * @module
 */

import { JsonError, SandboxError } from "../errors.ts";
import { jsonChanges } from "../json/changes.ts";
import { parseComparable } from "../json/comparable.ts";
import { equalJson } from "../json/equal.ts";
import type { CapturedAuthority } from "./authority.ts";

/** What {@linkcode compareAuthority} found. */
export interface AuthorityComparison {
  /** Whether both allow the same with the same launcher. */
  readonly same: boolean;
  /** JSON Pointers (RFC 6901) of what differs, under `/state` and `/launcher`; empty when nothing does. */
  readonly changes: readonly string[];
}

const SAME: AuthorityComparison = Object.freeze({ same: true, changes: Object.freeze([]) });

/**
 * Compares two authorities. The states are compared as JSON values, exactly (order of members free, numbers by
 * their mathematical value) and without looking into them; the launchers likewise. A launcher that cannot be
 * used because of the transport differs from one that can: `/launcher`. Identical texts are recognised at
 * once; different texts that name a key twice count as changed.
 *
 * @example
 * ```ts
 * import { captureAuthority, compareAuthority } from "@codex-mcp/runtime";
 *
 * const first = captureAuthority({ "codex/sandbox-state": { sandboxCwd: "/a", version: 1 } });
 * const second = captureAuthority({ "codex/sandbox-state": { version: 1, sandboxCwd: "/b" } });
 * console.log(compareAuthority(first, second).changes); // [ "/state/sandboxCwd" ]
 * ```
 */
export function compareAuthority(a: CapturedAuthority, b: CapturedAuthority): AuthorityComparison {
  if (a.stateText === b.stateText && sameLauncher(a, b)) return SAME;
  const changes = [...stateChanges(a, b), ...launcherChanges(a, b)];
  return changes.length === 0 ? SAME : { same: false, changes };
}

/**
 * Refuses `current` unless it is the authority that was `retained`, for whatever outlives the call that
 * started it: a subprocess, a session, a cached result.
 *
 * @throws {SandboxError} `AUTHORITY_CHANGED` when it differs. The message counts the places and names none.
 */
export function requireSameAuthority(retained: CapturedAuthority, current: CapturedAuthority): void {
  const { same, changes } = compareAuthority(retained, current);
  if (same) return;
  // which places differ is the policy's own text
  throw new SandboxError(
    "AUTHORITY_CHANGED",
    `Cannot go on under another authority: ${changes.length} place(s) differ; nothing was run. ` +
      "Start anew under the authority of this call.",
  );
}

function stateChanges(a: CapturedAuthority, b: CapturedAuthority): readonly string[] {
  if (a.stateText === b.stateText) return [];
  try {
    const before = a.comparableState;
    const after = b.comparableState;
    return equalJson(before, after) ? [] : jsonChanges(before, after).map((pointer) => `/state${pointer}`);
  } catch (error) {
    if (error instanceof JsonError) return ["/state"];
    throw error;
  }
}

/** Identical launchers, and the transport makes both usable or neither. */
function sameLauncher(a: CapturedAuthority, b: CapturedAuthority): boolean {
  return a.launcherText === b.launcherText && (a.launcherText === undefined || sameUse(a, b));
}

function sameUse(a: CapturedAuthority, b: CapturedAuthority): boolean {
  return (a.transport === "stdio") === (b.transport === "stdio");
}

/** By the texts: V8 can take one name for another when it parses an object, see `core/json/comparable.ts`. */
function launcherChanges(a: CapturedAuthority, b: CapturedAuthority): readonly string[] {
  if (sameLauncher(a, b)) return [];
  const { launcherText: before } = a;
  const { launcherText: after } = b;
  if (before === undefined || after === undefined || !sameUse(a, b)) return ["/launcher"];
  return jsonChanges(parseComparable(before), parseComparable(after)).map((pointer) => `/launcher${pointer}`);
}
