/**
 * What is kept of an error that a library or the runtime threw: its name, its code and a status. An error of
 * oauth4webapi carries the response and its parsed body, one of `fetch` may quote a URL with its query, so neither is
 * ever a `cause` of ours.
 *
 * Which error of ours takes its place is decided where it is thrown (`http.ts`, `exchange/token_request.ts`).
 *
 * @module
 */

import { ownProperty } from "../../../core/json/value.ts";

/** What is left of an error of someone else. */
export interface RedactedCause {
  /** Name of its class. */
  readonly name: string;
  /** Its code, such as `"ECONNREFUSED"`; `null`: it has none. */
  readonly code: string | null;
  /** The HTTP status it speaks about; `null`: none. */
  readonly status: number | null;
}

/**
 * Redacts `error`. A code is taken from the error, else from its cause, and only when it looks like one: capitals,
 * digits and underscores. Nothing else of the error is kept, its message included.
 */
export function redactError(error: unknown): RedactedCause {
  const name = error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : "Error";
  const inner = error instanceof Error ? error.cause : undefined;
  const code = [codeOf(error), codeOf(inner)].find((one) => one !== null) ?? null;
  const status = memberOf(error, "status");
  return {
    name,
    code,
    status: typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599
      ? status
      : null,
  };
}

function codeOf(error: unknown): string | null {
  const code = memberOf(error, "code");
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : null;
}

/** An own member of an object; a `DOMException` keeps its code in its prototype, and that number says nothing. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? ownProperty(value, name) : undefined;
}
