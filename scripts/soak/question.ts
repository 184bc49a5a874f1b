/**
 * The soak's answers to what servers ask: they go to the call that is asked about, and sometimes the turn of its thread
 * changes before the answer, so that the call must not go on.
 *
 * @module
 */

import type { InputContext, InputHandlers } from "../../adapters/mcp/host/client/input.ts";
import type { Dice } from "./dice.ts";
import { describe, type Register } from "./register.ts";
import { wait } from "./stage.ts";

/** What answering takes. */
export interface QuestionOptions {
  readonly register: Register;
  readonly dice: Dice;
  /** Changes the turn of the thread of this id, if it is open. */
  readonly changeTurn: (thread: string) => boolean;
}

/** Creates what answers. */
export function createAnswers(options: QuestionOptions): InputHandlers {
  return { elicit: async ({ message }, context) => await answer(Number(message), context, options) };
}

async function answer(
  ticket: number,
  { server, thread, tool }: InputContext,
  { register, dice, changeTurn }: QuestionOptions,
): Promise<{ action: "accept"; content: { word: string } }> {
  const call = register.find(ticket);
  register.count("questions");
  if (call === undefined) throw new Error("nobody asked");
  const what = describe(call);
  register.require(server === call.server.name, () => `${what}: the question came from ${server}`);
  const whose = thread === call.thread && tool === call.tool;
  // over the handshake of 2025 a question does not say which of several calls it belongs to
  const unknown = call.server.made === "v1" && thread === null;
  register.require(whose || unknown, () => `${what}: the question was said to be of ${thread}/${tool}`);
  await wait(dice.below(100));
  if (call.server.made === "v2" && dice.chance(40) && changeTurn(call.thread)) {
    register.count("turns changed during a question");
    if (call.settled === null) call.changed = true;
  }
  return { action: "accept", content: { word: `w${ticket}` } };
}
