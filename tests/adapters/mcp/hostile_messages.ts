/**
 * Messages that a stdio server may meet, good and bad, in pieces of any size; and what must hold of each.
 *
 * @module
 */

import { assert, assertEquals, assertInstanceOf, fail } from "@std/assert";
import { authorityOf } from "../../../adapters/mcp/server/authority_of.ts";
import { ExactInput, type ReadInput } from "../../../adapters/mcp/server/exact_input.ts";
import { SandboxError } from "../../../core/errors.ts";
import { readPlainly, textAt } from "../../core/json/plain_reader.ts";
import { drawFrom, mutate, pick } from "../../core/json/spelling.ts";

const STATE = ["params", "_meta", "codex/sandbox-state"];
const ALIAS = ["params", "_meta", "codex/sandbox-state-meta"];

/** States that JavaScript takes for each other, and some that it does not. */
const STATES = [
  '{"n":9007199254740993}',
  '{"n":9007199254740992}',
  '{"n":9007199254740992.0}',
  '{"n":1e400}',
  '{"n":1e999}',
  '{"n":-0,"2":1,"1":2}',
  '{"n":0,"2":1,"1":2}',
  '{"a":1,"a":2}',
  '{"s":"\\u0041\\ud800😀\\/"}',
  "null",
];

/** A call with these texts as its states and its id. */
export function callOf(state: string, alias: string, id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"exec","arguments":{},` +
    `"_meta":{"codex/sandbox-state":${state},"codex\\/sandbox-state-meta" : ${alias}}}}`;
}

function randomLine(draw: () => number): string {
  const state = pick(STATES, draw);
  const alias = draw() < 0.8 ? state : pick(STATES, draw);
  const id = pick(["1", "1.0", "2", '"1"', '"\\u0031"', "null", "9007199254740993"], draw);
  const line = callOf(state, alias, id);
  const shape = draw();
  if (shape < 0.4) return line;
  if (shape < 0.8) return mutate(line, draw).replaceAll("\n", " ");
  if (shape < 0.9) return `[${line},${randomLine(draw)}]`;
  return `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
}

/** Bytes with some of them changed to what no UTF-8 holds. */
function corrupt(bytes: Uint8Array, draw: () => number): Uint8Array {
  if (draw() < 0.5) return bytes;
  const copy = bytes.slice();
  copy[Math.floor(draw() * copy.length)] = 0x80 + Math.floor(draw() * 128);
  return copy;
}

/** Any pieces of `bytes`. */
export function* chunks(bytes: Uint8Array, draw: () => number): Generator<Uint8Array> {
  const most = pick([1, 7, 300, 5_000], draw);
  for (let at = 0; at < bytes.length;) {
    const end = at + Math.floor(draw() * (most + 1));
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** What a run met. */
export interface Seen {
  /** Calls whose authority was captured. */
  captured: number;
  /** Calls that were refused when their handler asked. */
  refused: number;
  /** Messages that did not go on. */
  dropped: number;
}

/**
 * Stands in for an SDK that reads each message as it can and asks for the authority of each call: it gets that of
 * this very message, or a refusal.
 */
function receive(messages: readonly Uint8Array[], sourceTexts: ExactInput["sourceTexts"], seen: Seen): void {
  for (const bytes of messages) {
    const line = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch {
      continue;
    }
    const node = readPlainly(line);
    if (Array.isArray(parsed)) continue;
    const request = parsed as { readonly id?: unknown; readonly method?: unknown } | null;
    if (typeof request?.id !== "number" && typeof request?.id !== "string") continue;
    if (request.method !== "tools/call") continue;
    try {
      const { stateText } = authorityOf(request, { transport: "stdio", sourceTexts });
      const [state, alias] = [textAt(node, STATE), textAt(node, ALIAS)];
      if (state === "repeated" || alias === "repeated") fail(`one of two was taken: ${line}`);
      assertEquals(stateText, state?.text ?? alias?.text, line);
      seen.captured++;
    } catch (error) {
      assertInstanceOf(error, SandboxError, line);
      seen.refused++;
    }
  }
}

/** Sends `count` messages drawn from `seed`, and fails where a call gets anything but its own text or a refusal. */
export function sendHostile(seed: number, count: number, seen: Seen): void {
  const draw = drawFrom(seed);
  const lines = Array.from({ length: count }, () => `${randomLine(draw)}${pick(["\n", "\r\n"], draw)}`);
  const bytes = corrupt(new TextEncoder().encode(lines.join("")), draw);
  const input = new ExactInput({ onrefusal: () => seen.dropped++ });
  let passed = 0;
  const take = ({ messages, replies }: ReadInput): void => {
    receive(messages, input.sourceTexts, seen);
    passed += messages.reduce((sum, message) => sum + message.length, 0);
    for (const reply of replies) {
      const { id, error } = JSON.parse(reply);
      assert(["number", "string"].includes(typeof id) && /^STATE_[A-Z]+: /.test(error.message), reply);
    }
  };
  for (const chunk of chunks(bytes, draw)) take(input.push(chunk));
  take(input.end());
  assert(passed <= bytes.length);
}
