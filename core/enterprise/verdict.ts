/**
 * How a check answers: what was accepted, or why not, as data. Every check has a reason of its own and the section
 * of the specification that it stands on.
 *
 * A message quotes what we expected or what a public document says, never a part of a token, of a token response
 * or of a secret. Turning a refusal into an error is `refusalError`'s; what happens next is decided in
 * `authorization/transition.ts`.
 *
 * @module
 */

import { EnterpriseError, type EnterpriseErrorCode, type EnterpriseErrorDetails } from "./error.ts";

/** Why something is not accepted. */
export interface Refusal<Reason extends string = string> {
  /** Why, for programs: from the closed union of the check. */
  readonly reason: Reason;
  /** The specification and its section, such as `"RFC 8414, 3.3"`. */
  readonly section: string;
  /** Why, for people: `Cannot … : …`. */
  readonly message: string;
}

/** Something unusual that does not stop anything. */
export interface Note {
  /** What it is, for programs. */
  readonly reason: string;
  /** What it is, for people. */
  readonly message: string;
}

/** The answer of a check. */
export type Verdict<Value, Reason extends string = string> = Accepted<Value> | Refused<Reason>;

/** It is accepted. */
export interface Accepted<Value> {
  /** Tells the two answers apart. */
  readonly accepted: true;
  /** What was read. */
  readonly value: Value;
  /** What was unusual about it, in the order of the checks. */
  readonly notes: readonly Note[];
}

/** It is refused. */
export interface Refused<Reason extends string = string> {
  /** Tells the two answers apart. */
  readonly accepted: false;
  /** The first check that failed. */
  readonly refusal: Refusal<Reason>;
}

/** Answers that `value` is accepted. */
export function accept<Value>(value: Value, notes: readonly Note[] = []): Accepted<Value> {
  return { accepted: true, value, notes };
}

/** Answers that something is refused, with `reason` and the section in one and the message apart. */
export function refuse<Reason extends string>(
  [reason, section]: readonly [reason: Reason, section: string],
  message: string,
): Refused<Reason> {
  return { accepted: false, refusal: { reason, section, message } };
}

/** What the caller of a check adds to its refusal. */
export interface RefusalContext {
  /** Code of the error. */
  readonly code: EnterpriseErrorCode;
  /** Which request it was, where it was one. */
  readonly leg?: EnterpriseErrorDetails["leg"];
}

/** The error that says what `refusal` says. */
export function refusalError(refusal: Refusal, { code, leg }: RefusalContext): EnterpriseError {
  return new EnterpriseError(code, refusal.message, {
    reason: refusal.reason,
    section: refusal.section,
    ...(leg === undefined ? {} : { leg }),
  });
}
