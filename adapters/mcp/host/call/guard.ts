/**
 * Whether a call that was issued earlier may go on: what it was issued under is still what its thread would issue a
 * call under now. Asked before a call is sent again, and before a result is delivered that came over a stream that was
 * taken up again. A plain call whose answer is on its way is not asked about.
 *
 * | changed since it was issued | refused as |
 * |---|---|
 * | the turn's environment, state, launcher, writable roots or workspace | the turn |
 * | the thread's account | the account |
 * | the sign-in that it was issued under, or sent with | the sign-in |
 * | what the server's connection depends on, whether the tool may be used, or there is no such server | the server |
 *
 * States are compared exactly (`core/sandbox/compare.ts`), and nobody looks into them.
 *
 * @module
 */

import { quote, SandboxError } from "../../../../core/errors.ts";
import { CapturedAuthority } from "../../../../core/sandbox/authority.ts";
import { compareAuthority } from "../../../../core/sandbox/compare.ts";
import type { Account } from "../enterprise/account.ts";
import type { CapturedTurn } from "../sandbox/turn_sandbox.ts";
import type { CallAuthority } from "./authority.ts";

/** What a thread would issue a call under now. */
export interface AuthorityNow {
  /** What its turn selects. */
  readonly turn: CapturedTurn | null;
  /** Its account. */
  readonly account: Account | null;
  /** Generation of the sign-in that it uses at the server; `null`: none. */
  readonly generation: string | null;
  /** Whether it would go to the server that it was issued to, and its tool may be used. */
  readonly sameServer: boolean;
}

/** What changed. */
export type ChangedAuthority = "turn" | "account" | "sign-in" | "server";

/** What of a call's authority does not hold any more; `null`: all of it holds. */
export function changedAuthority(authority: CallAuthority, now: AuthorityNow): ChangedAuthority | null {
  return changedOwner(authority, now) ?? (sameTurn(authority.issued.turn, now.turn) ? null : "turn");
}

function changedOwner({ issued, sent }: CallAuthority, now: AuthorityNow): ChangedAuthority | null {
  if (!now.sameServer) return "server";
  if (!sameAccount(issued.account, now.account)) return "account";
  const generations = [issued.generation, sent?.generation ?? null];
  return generations.every((one) => one === null || one === now.generation) ? null : "sign-in";
}

/**
 * Refuses to go on with a call under another authority.
 *
 * @throws {SandboxError} `AUTHORITY_CHANGED` when something of it changed. The message names what, and no value.
 */
export function requireSame(authority: CallAuthority, now: AuthorityNow): void {
  refuse(authority, changedAuthority(authority, now));
}

/**
 * Refuses to send a call for another account, with another sign-in or to another server than it was issued for. The
 * turn may be another by now: a call is sent under the one that it was issued in.
 *
 * @throws {SandboxError} `AUTHORITY_CHANGED` when one of them changed.
 */
export function requireSameOwner(authority: CallAuthority, now: AuthorityNow): void {
  refuse(authority, changedOwner(authority, now));
}

function refuse(authority: CallAuthority, changed: ChangedAuthority | null): void {
  if (changed === null) return;
  const { server, tool } = authority.issued;
  const what = `Cannot go on with the call of ${quote(tool)} at ${quote(server)}`;
  const state = `the ${changed} of its thread has changed since it was issued`;
  throw new SandboxError("AUTHORITY_CHANGED", `${what}: ${state}. Call again`);
}

/** Whether two accounts are the same person in the same workspace, with the same supplied identity or none. */
export function sameAccount(a: Account | null, b: Account | null): boolean {
  if (a === null || b === null) return a === b;
  return a.user === b.user && a.workspace === b.workspace && a.identity === b.identity;
}

function sameTurn(a: CapturedTurn | null, b: CapturedTurn | null): boolean {
  if (a === null || b === null || a === b) return a === b;
  return a.environment === b.environment && a.launcher === b.launcher && a.workspace === b.workspace &&
    sameList(a.writableRoots, b.writableRoots) && sameState(a.stateText, b.stateText);
}

function sameState(a: string | null, b: string | null): boolean {
  if (a === null || b === null || a === b) return a === b;
  return compareAuthority(stateOf(a), stateOf(b)).same;
}

function stateOf(stateText: string): CapturedAuthority {
  return new CapturedAuthority({ stateText, launcherText: undefined, transport: undefined });
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
