/**
 * How a token request ends: with a value, or with what its failure means. A failure is data, because it is no mishap
 * of the program: the state of the authorization is told of each one.
 *
 * What a meaning does to grant, leases and threads is decided in `core/enterprise/authorization/`. The sentences are
 * in `_failure_text.ts`.
 *
 * @module
 */

import { EnterpriseError, type EnterpriseErrorCode, type Leg } from "../../../core/enterprise/error.ts";
import {
  type FailureMeaning,
  meaningOf,
  type OAuthFailure,
} from "../../../core/enterprise/exchange/oauth_error.ts";
import { readOAuthFailure } from "../../../core/enterprise/exchange/oauth_error.ts";
import { type Refusal, refusalError } from "../../../core/enterprise/verdict.ts";
import { failureText, type RequestFacts } from "./_failure_text.ts";
import type { TokenAnswer } from "./token_request.ts";

export type { RequestFacts } from "./_failure_text.ts";

/** How a token request ended. */
export type Outcome<Value> =
  | { readonly succeeded: true; readonly value: Value }
  | { readonly succeeded: false; readonly failure: RequestFailure };

/** Why a token request failed. Holds no secret. */
export interface RequestFailure {
  /** What it means at its leg. */
  readonly meaning: FailureMeaning;
  /** The answer's status and code, status 0 when there was none; `null` when a check of ours refused a success. */
  readonly oauth: OAuthFailure | null;
  /** Seconds after which the server wants to be asked again; `null`: not said. */
  readonly retryAfter: number | null;
  /** The error for whoever asked. */
  readonly error: EnterpriseError;
}

/** The outcome of a request that brought `value`. */
export function succeed<Value>(value: Value): Outcome<Value> {
  return { succeeded: true, value };
}

/** The outcome of an answer that is no success. */
export function refusedBy(answer: TokenAnswer, facts: RequestFacts): Outcome<never> {
  const oauth = readOAuthFailure(answer.status, answer.document.value);
  const meaning = meaningOf(oauth, facts.leg);
  const { code, reason } = codeOf(meaning, { leg: facts.leg, reason: reasonOf(answer, oauth) });
  const message = failureText(facts, { meaning, oauth, body: answer.document.kind });
  return fail({ meaning, oauth, retryAfter: answer.retryAfter }, [code, message, { reason, leg: facts.leg }]);
}

/** The outcome of an answer whose content `refusal` refuses. */
export function refusedContent(refusal: Refusal, { leg }: RequestFacts): Outcome<never> {
  const meaning = meaningOfReason(refusal.reason);
  const error = refusalError(refusal, { code: codeOf(meaning, { leg, reason: "" }).code, leg });
  return { succeeded: false, failure: { meaning, oauth: null, retryAfter: null, error } };
}

/** The outcome of a request that could not be made, or got no answer, for the reason in `error`. */
export function notAnswered(error: EnterpriseError, { leg }: Pick<RequestFacts, "leg">): Outcome<never> {
  const { code, message, reason, section, field } = error;
  const details = {
    leg,
    ...(reason === undefined ? {} : { reason }),
    ...(section === undefined ? {} : { section }),
    ...(field === undefined ? {} : { field }),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
  };
  const unavailable = code === "TEMPORARILY_UNAVAILABLE";
  return fail(
    unavailable
      ? { meaning: "unavailable", oauth: { status: 0, code: null }, retryAfter: null }
      : { meaning: "client", oauth: null, retryAfter: null },
    [code, message, details],
  );
}

type ErrorParts = ConstructorParameters<typeof EnterpriseError>;

function fail(facts: Omit<RequestFailure, "error">, parts: ErrorParts): Outcome<never> {
  return { succeeded: false, failure: { ...facts, error: new EnterpriseError(...parts) } };
}

function reasonOf({ status, document }: TokenAnswer, { code }: OAuthFailure): string {
  if (code !== null) return code;
  if (status >= 300 && status < 400) return "redirected";
  return document.kind === "json" ? "status" : document.kind;
}

interface Coded {
  readonly code: EnterpriseErrorCode;
  readonly reason: string;
}

function codeOf(
  meaning: FailureMeaning,
  { leg, reason }: { readonly leg: Leg; readonly reason: string },
): Coded {
  const refused = leg === "token-exchange" ? "EXCHANGE_REFUSED" : "REDEMPTION_REFUSED";
  const codes: Readonly<Record<FailureMeaning, EnterpriseErrorCode>> = {
    "grant-in-doubt": "ASSERTION_REFUSED",
    "administrator": "ADMINISTRATOR_REFUSED",
    "assertion": "ASSERTION_REFUSED",
    "client": "CLIENT_REFUSED",
    "scope": "SCOPE_REFUSED",
    "stronger-sign-in": "STRONGER_SIGN_IN_REQUIRED",
    "binding": refused,
    "unavailable": "TEMPORARILY_UNAVAILABLE",
    "misconfigured": refused,
  };
  return { code: codes[meaning], reason };
}

/** What a refusal by one of our checks means: who has to change something. */
function meaningOfReason(reason: string): FailureMeaning {
  if (reason === "key-bound") return "binding";
  if (reason === "client") return "client";
  return reason.startsWith("scope-") ? "scope" : "misconfigured";
}
