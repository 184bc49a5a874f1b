/**
 * Makes a token request, and takes what stands in its way apart: an answer, an outage or a refused client registration
 * is an outcome; a configuration or a keyring that cannot be used is an error of its own.
 *
 * The request is `token_request.ts`'s, the outcome `outcome.ts`'s.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { notAnswered, type Outcome, type RequestFacts } from "./outcome.ts";

/** An answer, or the outcome of a request that got none. */
export type Attempt<Answer> =
  | { readonly answer: Answer; readonly outcome: null }
  | { readonly answer: null; readonly outcome: Outcome<never> };

/** Makes the request; rejects with what is no outcome of it. */
export async function attempt<Answer>(
  request: () => Promise<Answer>,
  facts: RequestFacts,
): Promise<Attempt<Answer>> {
  try {
    return { answer: await request(), outcome: null };
  } catch (error) {
    const outcome = error instanceof EnterpriseError &&
      (error.code === "TEMPORARILY_UNAVAILABLE" || error.code === "CLIENT_REFUSED");
    if (!outcome) throw error;
    return { answer: null, outcome: notAnswered(error, facts) };
  }
}
