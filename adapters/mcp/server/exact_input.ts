/**
 * What a stdio server reads, before its SDK sees it: whole messages, byte for byte, with the source texts of their
 * states put aside (`call_texts.ts`).
 *
 * This file decides which messages go on. One that is not UTF-8, or may carry a state and names twice what must not
 * come twice, does not: whoever parses it would repair it, or pick one of two. Its requests are answered here,
 * with a JSON-RPC error whose message begins with the code of a refusal: -32600 and `STATE_CONFLICT` for what comes
 * twice, -32700 and `STATE_INEXACT` for what is not UTF-8. Without an id that can be told there is no answer. A text
 * that is no JSON at all goes on, since nobody can take it for a request. `exact_stdin.ts` makes a stream of this.
 *
 * @module
 */

import { JsonError, SandboxError } from "../../../core/errors.ts";
import { cutElements, cutJson } from "../../../core/json/scan.ts";
import { sourceTextsOf } from "../../../core/sandbox/source_text.ts";
import { ByteLines } from "../wire/byte_lines.ts";
import type { SourceTexts } from "./authority_of.ts";
import { CallTexts, type CallTextsOptions } from "./call_texts.ts";

/** How input is read. */
export interface ExactInputOptions extends CallTextsOptions {
  /** Most bytes of one message; absent: 64 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Told of every message that does not go on. What it throws changes nothing: its log may be on a full disk. */
  readonly onrefusal?: ((refusal: SandboxError) => void) | undefined;
}

/** What becomes of a piece of input. */
export interface ReadInput {
  /** What goes on to the SDK: whole messages with their ends, unchanged and in their order. */
  readonly messages: readonly Uint8Array[];
  /** What goes to the host instead of the SDK's answer: JSON-RPC messages without line ends. */
  readonly replies: readonly string[];
}

/** What a decoder puts in the place of bytes that are not UTF-8; it may also have been sent. */
const REPLACEMENT = "\ufffd";

/** Reads the input of one connection. */
export class ExactInput {
  readonly #lines: ByteLines;
  readonly #calls: CallTexts;
  readonly #onrefusal: (refusal: SandboxError) => void;

  /** Creates a reader at the beginning of a connection. */
  constructor(options: ExactInputOptions = {}) {
    const { maxMessageBytes = 67_108_864, onrefusal = () => {} } = options;
    this.#lines = new ByteLines(maxMessageBytes);
    this.#calls = new CallTexts(options);
    this.#onrefusal = onrefusal;
  }

  /**
   * The source texts of the request with this id, for the option of the same name of `withAuthority` and
   * `authorityOf`. A call whose texts are not known gets some that fit no state, so that it is refused. Of two
   * messages with one id the later one counts.
   *
   * @throws {SandboxError} `STATE_CONFLICT` when the message was refused for what came twice, or two calls under way
   * have this id and cannot be told apart.
   * @throws {SandboxError} `STATE_INEXACT` when the message was refused because it is not UTF-8.
   */
  readonly sourceTexts = (requestId: string | number): SourceTexts => this.#calls.of(requestId);

  /** How much is kept. */
  get size(): { readonly calls: number; readonly chars: number } {
    return this.#calls.size;
  }

  /** Takes a chunk, split wherever. Throws a `RangeError` for a message that is too long. */
  push(chunk: Uint8Array): ReadInput {
    return this.#read(this.#lines.push(chunk));
  }

  /** Takes the end of the input: a last message may lack its line end. */
  end(): ReadInput {
    const rest = this.#lines.rest();
    return this.#read(rest.length === 0 ? [] : [rest]);
  }

  #read(lines: readonly Uint8Array[]): ReadInput {
    const replies: string[] = [];
    const messages = lines.filter((line) => {
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(line);
      const refusal = text.includes(REPLACEMENT) && !isUtf8(line) ? notUtf8() : this.#bind(text);
      if (refusal === null) return true;
      this.#tell(refusal);
      for (const idText of requestIds(text)) {
        this.#calls.refuse(JSON.parse(idText), refusal);
        replies.push(answer(idText, refusal));
      }
      return false;
    });
    return { messages, replies };
  }

  #tell(refusal: SandboxError): void {
    try {
      this.#onrefusal(refusal);
    } catch {
      return; // the requests of the message are answered all the same
    }
  }

  /** Puts the texts of a message aside; or says why it cannot go on. */
  #bind(text: string): SandboxError | null {
    try {
      const calls = sourceTextsOf(text);
      if (this.#calls.size.calls > 0 && (calls.length === 0 || text.trimStart().startsWith("["))) {
        const bound = new Set(calls.map(({ id }) => id));
        for (const id of requestIds(text).map((idText) => JSON.parse(idText))) {
          if (!bound.has(id)) this.#calls.clear(id);
        }
      }
      for (const call of calls) this.#calls.bind(call);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (error.code === "JSON_DUPLICATE_KEY") return comesTwice();
    }
    return null;
  }
}

function isUtf8(line: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(line);
    return true;
  } catch {
    return false;
  }
}

/** The ids of the requests in a message, as they are written; without those that cannot be told. */
function requestIds(text: string): readonly string[] {
  try {
    return (cutElements(text) ?? [text]).flatMap((request) => {
      const [id] = cutJson(request, [["id"]]);
      const told = id !== undefined && /^["\-\d]/.test(id) && !id.includes(REPLACEMENT);
      return told && isRequest(request) ? [id] : [];
    });
  } catch (error) {
    if (error instanceof JsonError) return [];
    throw error;
  }
}

/** Whether a message has a method, be it two: a response has none, and its id is another's. */
function isRequest(message: string): boolean {
  try {
    return cutJson(message, [["method"]])[0] !== undefined;
  } catch (error) {
    return error instanceof JsonError && error.code === "JSON_DUPLICATE_KEY";
  }
}

function answer(idText: string, { code, message }: SandboxError): string {
  const error = { code: code === "STATE_CONFLICT" ? -32600 : -32700, message: `${code}: ${message}` };
  return `{"jsonrpc":"2.0","id":${idText},"error":${JSON.stringify(error)}}`;
}

function comesTwice(): SandboxError {
  return new SandboxError(
    "STATE_CONFLICT",
    "Cannot tell the sandbox state of this call: its message names a member twice on the way to the state; " +
      "nothing was run. Something between host and server changed the call.",
  );
}

function notUtf8(): SandboxError {
  return new SandboxError(
    "STATE_INEXACT",
    "Cannot read this call: its message is not UTF-8; nothing was run.",
  );
}
