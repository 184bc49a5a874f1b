/**
 * What a person types or a script pipes in: lines of standard input, secrets unseen on a terminal. Questions go to
 * standard error, so that standard output holds the result alone.
 *
 * @module
 */

import process from "node:process";
import { diagnose } from "../terminal.ts";
import { UsageError } from "../exit_code.ts";

/** Longest line that is read, in UTF-16 code units. */
const MAX_LINE = 1 << 16;

/** Reads standard input, line by line. */
export interface TypedInput {
  /** The next line without its end; `null` when there is none any more. */
  line(): Promise<string | null>;
  /** The next line as a secret: not shown while it is typed. Throws a `UsageError` when there is none. */
  secret(question: string): Promise<string>;
  /** Whether the answer to `question` is yes. No answer is none. */
  confirm(question: string): Promise<boolean>;
}

/** Standard input of this process. Nothing is read before something is asked for. */
export function typedInput(input: AsyncIterable<Uint8Array | string> = process.stdin): TypedInput {
  const lines = readLines(input);
  const line = async (): Promise<string | null> => {
    const { value, done } = await lines.next();
    return done === true ? null : value;
  };
  return {
    line,
    secret: async (question) => {
      const text = (await hidden(question) ?? await line())?.trim() ?? "";
      if (text !== "") return text;
      throw new UsageError(`${question} is to come on standard input, and nothing came.`);
    },
    confirm: async (question) => {
      process.stderr.write(`${question} [y/N] `);
      const answer = await line();
      if (!process.stdin.isTTY) diagnose("");
      return /^\s*y(es)?\s*$/i.test(answer ?? "");
    },
  };
}

/** Asks on a terminal without showing what is typed; `null` where there is none. */
async function hidden(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || typeof Deno === "undefined") return null;
  const { promptSecret } = await import("@std/cli/prompt-secret");
  return promptSecret(`${question}:`, { mask: "", clear: true });
}

async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      const line = rest.slice(0, end).replace(/\r$/, "");
      rest = rest.slice(end + 1);
      yield line;
    }
    if (rest.length > MAX_LINE) throw new UsageError("A line of standard input is too long.");
  }
  if (rest !== "") yield rest;
}
