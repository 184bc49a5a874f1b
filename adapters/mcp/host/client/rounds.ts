/**
 * The rounds of a call that needs input: the server answers `input_required`, the host asks, and the call is sent again
 * with the answers, until there is a result. Each further request carries the authority of the first, so it is checked
 * before anybody is asked and before anything is sent.
 *
 * MCP 2026-07-28, multi-round-trip requests. How a person is asked is `input.ts`'s, what is checked
 * `call/guard.ts`'s.
 *
 * @module
 */

import { HostError } from "../../../../core/errors.ts";

/** What a server needs before it goes on. */
export interface NeededInput {
  /** Its questions under their names; empty: it only asks to be called again. */
  readonly inputRequests: Readonly<Record<string, unknown>>;
  /** What has to come back as it is; absent: nothing. */
  readonly requestState?: string;
}

/** What is sent with a further request. */
export interface RoundAnswers {
  /** The answers under the names of the questions; absent: there were none. */
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  /** What the server wanted back. */
  readonly requestState?: string;
}

/** How the rounds of one call are made. */
export interface RoundsOptions {
  /** Name of the server, for errors. */
  readonly server: string;
  /** Throws when the call may not go on. */
  readonly proceed: () => void;
  /** Asks one question. */
  readonly ask: (name: string, request: unknown) => Promise<unknown>;
  /** Sends the call again. Gives a result, or what is needed still. */
  readonly send: (answers: RoundAnswers) => Promise<unknown>;
  /** Whether an answer of the server asks for more. */
  readonly isNeed: (answer: unknown) => answer is NeededInput;
  /** Waits before a request that answers nothing. Rejects when the call is over. */
  readonly pause: () => Promise<void>;
}

/** Further requests that one call may take. */
export const MAX_ROUNDS = 10;

/**
 * Goes on until there is a result, and gives it.
 *
 * @throws {HostError} `PROTOCOL_ERROR` when the server asks more than {@linkcode MAX_ROUNDS} times.
 */
export async function runRounds(first: NeededInput, options: RoundsOptions): Promise<unknown> {
  const { server, proceed, ask, send, isNeed, pause } = options;
  let need = first;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    proceed();
    const questions = Object.entries(need.inputRequests ?? {});
    if (questions.length === 0) await pause();
    const answers = await Promise.all(
      questions.map(async ([name, request]): Promise<readonly [string, unknown]> => [
        name,
        await ask(name, request),
      ]),
    );
    proceed(); // a person may have taken an hour
    const answer = await send({
      ...(answers.length === 0 ? {} : { inputResponses: Object.fromEntries(answers) }),
      ...(need.requestState === undefined ? {} : { requestState: need.requestState }),
    });
    if (!isNeed(answer)) return answer;
    need = answer;
  }
  throw new HostError("PROTOCOL_ERROR", `Cannot end the call: it asked for input ${MAX_ROUNDS} times`, {
    server,
  });
}
