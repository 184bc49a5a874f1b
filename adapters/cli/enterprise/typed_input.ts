/**
 * What a person types or a script pipes in: lines of standard input, secrets unseen on a terminal. Questions go to
 * standard error, so that standard output holds the result alone.
 *
 * @module
 */

import process from "node:process";
import { UsageError } from "../program/exit_code.ts";
import { interruptedBy } from "../terminal/interruption.ts";
import { diagnose } from "../terminal/terminal.ts";

/** Longest line that is read, in UTF-16 code units. */
const MAX_LINE = 1 << 16;

/** Standard input, or what stands for it. */
export interface InputSource extends AsyncIterable<Uint8Array | string> {
  /** Whether a person types there. */
  readonly isTTY?: boolean;
  /** Switches to single keys, which are not shown, and back. */
  setRawMode?(raw: boolean): unknown;
}

/** Reads standard input, line by line. */
export interface TypedInput {
  /** The next line without its end; `null` when there is none any more. */
  line(): Promise<string | null>;
  /**
   * The next line as a secret: not shown while it is typed. Throws a `UsageError` when there is none, and an
   * `InterruptedError` for the key that interrupts.
   */
  secret(question: string): Promise<string>;
  /** Whether the answer to `question` is yes. No answer is none. */
  confirm(question: string): Promise<boolean>;
}

/** Standard input of this process. Nothing is read before something is asked for. */
export function typedInput(input: InputSource = process.stdin): TypedInput {
  const next = reader(input);
  const line = async (): Promise<string | null> => (await next(["\r\n", "\n"]))?.text ?? null;
  return {
    line,
    secret: async (question) => {
      const text = (await (input.isTTY === true ? hidden(question, { input, next }) : line()))?.trim() ?? "";
      if (text !== "") return text;
      throw new UsageError(`${question} is to come on standard input, and nothing came.`);
    },
    confirm: async (question) => {
      process.stderr.write(`${question} [y/N] `);
      const answer = await line();
      if (input.isTTY !== true) diagnose("");
      return /^\s*y(es)?\s*$/i.test(answer ?? "");
    },
  };
}

/** A piece of the input and what ended it: empty at the end of the input. */
interface Piece {
  readonly text: string;
  readonly end: string;
}

/** Gives the next piece up to the first of `ends`; `null` when there is none any more. */
type NextPiece = (ends: readonly string[]) => Promise<Piece | null>;

function reader(input: InputSource): NextPiece {
  const decoder = new TextDecoder();
  let chunks: AsyncIterator<Uint8Array | string> | undefined;
  let rest = "";
  return async (ends) => {
    for (;;) {
      const piece = cut(rest, ends);
      if (piece !== null) {
        rest = rest.slice(piece.text.length + piece.end.length);
        return piece;
      }
      if (rest.length > MAX_LINE) throw new UsageError("A line of standard input is too long.");
      chunks ??= input[Symbol.asyncIterator]();
      const { value, done } = await chunks.next();
      if (done !== true) {
        rest += typeof value === "string" ? value : decoder.decode(value, { stream: true });
        continue;
      }
      const text = rest;
      rest = "";
      return text === "" ? null : { text, end: "" };
    }
  };
}

/** What stands before the first of `ends`; `null` where none is. Of two at one place the one named first counts. */
function cut(text: string, ends: readonly string[]): Piece | null {
  let piece: Piece | null = null;
  for (const end of ends) {
    const at = text.indexOf(end);
    if (at >= 0 && (piece === null || at < piece.text.length)) piece = { text: text.slice(0, at), end };
  }
  return piece;
}

/** Enter, the end of input, an interruption, rubbing out one character or all. */
const KEYS = ["\r\n", "\r", "\n", "\u0004", "\u0003", "\u0008", "\u007f", "\u0015"];

/** Asks on a terminal without showing what is typed. */
async function hidden(
  question: string,
  { input, next }: { readonly input: InputSource; readonly next: NextPiece },
): Promise<string> {
  process.stderr.write(`${question}: `);
  input.setRawMode?.(true);
  try {
    let typed = "";
    for (let piece = await next(KEYS); piece !== null; piece = await next(KEYS)) {
      typed += piece.text;
      if (piece.end === "\u0003") throw interruptedBy("SIGINT", "SIGINT"); // key by key it is no signal
      if (piece.end === "\u0015") typed = "";
      else if (piece.end === "\u0008" || piece.end === "\u007f") typed = [...typed].slice(0, -1).join("");
      else break;
    }
    return typed;
  } finally {
    input.setRawMode?.(false);
    process.stderr.write("\r\u001b[K");
  }
}
