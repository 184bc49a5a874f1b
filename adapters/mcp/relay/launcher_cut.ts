/**
 * Taking the launcher out of a message that leaves this machine, as a cut in its bytes: a path of this machine means
 * nothing on another one, and whoever names a launcher runs code.
 *
 * This file decides which bytes go. `relay.ts` decides when; the grammar is in `core/json/skip.ts`.
 *
 * @module
 */

import { JsonError } from "../../../core/errors.ts";
import {
  keyOf,
  malformed,
  skipColon,
  skipEnd,
  skipSpace,
  skipString,
  skipValue,
} from "../../../core/json/skip.ts";
import { SANDBOX_LAUNCHER_KEY } from "../../../core/sandbox/keys.ts";

/** A member of an object, by its offsets. */
interface Member {
  /** The name that its key means. */
  readonly name: string;
  /** Where its key begins. */
  readonly start: number;
  /** Where its value begins. */
  readonly value: number;
  /** Where its value ends. */
  readonly end: number;
  /** Where the comma stands that follows it; `undefined` for the last one. */
  readonly comma: number | undefined;
}

/** Bytes to leave out: from the first offset up to the second. */
type Cut = readonly [start: number, end: number];

/**
 * One message without the member `codex/sandbox-launcher` of the `_meta` of each `tools/call` request in it, with one
 * comma for each such member. Every other byte stays as it is; a message without one comes back itself.
 *
 * `line` is a line with or without its end, a single message or a batch. Names count as they are meant, however
 * they are written, and members that come twice count each time: of `method`, `params` and `_meta` too, since no one
 * knows which of them the reader takes. The launcher's name elsewhere, in arguments or in text, stays.
 *
 * @throws {JsonError} `JSON_MALFORMED` when `line` is not UTF-8; when it may carry a launcher and is not JSON, or
 * holds a bare carriage return, which some readers take for the end of a line.
 *
 * @example
 * ```ts
 * import { cutLauncher } from "./launcher_cut.ts";
 *
 * const line = '{"method":"tools/call","params":{"_meta":{"a":1.0, "codex/sandbox-launcher":{}}}}';
 * console.log(new TextDecoder().decode(cutLauncher(new TextEncoder().encode(line))));
 * // {"method":"tools/call","params":{"_meta":{"a":1.0 }}}
 * ```
 */
export function cutLauncher(line: Uint8Array): Uint8Array {
  requireUtf8(line);
  // one character a byte, so that offsets are those of the bytes; what the grammar looks at is ASCII
  const text = new TextDecoder("latin1").decode(line);
  // a letter of the name that is not written as it is takes an escape \u
  if (!text.includes("sandbox-launcher") && !text.includes("\\u")) return line;
  const carriageReturn = text.replace(/\r?\n$/, "").indexOf("\r");
  if (carriageReturn >= 0) throw malformed(carriageReturn);
  const cuts = messagesOf(text).flatMap((message) => cutsOf(text, message));
  return cuts.length === 0 ? line : leaveOut(line, cuts);
}

function requireUtf8(line: Uint8Array): void {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(line);
  } catch {
    throw new JsonError("JSON_MALFORMED", "Cannot relay a message: it is not UTF-8");
  }
}

/** Where each message of the line begins. */
function messagesOf(text: string): readonly number[] {
  const start = skipSpace(text, 0);
  if (text[start] !== "[") {
    skipEnd(text, skipValue(text, start));
    return [start];
  }
  const starts: number[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== "]") {
    starts.push(at);
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === "]") break;
    if (text[at] !== ",") throw malformed(at);
    at = skipSpace(text, at + 1);
    if (text[at] === "]") throw malformed(at);
  }
  skipEnd(text, at + 1);
  return starts;
}

function cutsOf(text: string, message: number): readonly Cut[] {
  const members = membersOf(text, message);
  const isCall = members.some(({ name, value, end }) =>
    name === "method" && text[value] === '"' && keyOf(text.slice(value, end)) === "tools/call"
  );
  if (!isCall) return [];
  return named(members, "params")
    .flatMap(({ value }) => named(membersOf(text, value), "_meta"))
    .flatMap(({ value }) => launcherCuts(membersOf(text, value)));
}

function launcherCuts(members: readonly Member[]): readonly Cut[] {
  const lastKept = members.findLastIndex(({ name }) => name !== SANDBOX_LAUNCHER_KEY);
  return members.flatMap(({ name, start, end, comma }, index): readonly Cut[] => {
    if (name !== SANDBOX_LAUNCHER_KEY) return [];
    // behind the last member that stays, the comma to go is the one before
    const before = members[index - 1]?.comma;
    if (index > lastKept && lastKept >= 0 && before !== undefined) {
      return [[before, before + 1], [start, end]];
    }
    return comma === undefined ? [[start, end]] : [[start, end], [comma, comma + 1]];
  });
}

function named(members: readonly Member[], wanted: string): readonly Member[] {
  return members.filter(({ name }) => name === wanted);
}

/** The members of the object that begins at `start`; none when something else does. The text is well-formed. */
function membersOf(text: string, start: number): readonly Member[] {
  const members: Member[] = [];
  if (text[start] !== "{") return members;
  let at = skipSpace(text, start + 1);
  while (text[at] !== "}") {
    const key = at;
    const keyEnd = skipString(text, key);
    const value = skipColon(text, keyEnd);
    const end = skipValue(text, value);
    at = skipSpace(text, end);
    const comma = text[at] === "," ? at : undefined;
    members.push({ name: keyOf(text.slice(key, keyEnd)), start: key, value, end, comma });
    if (comma !== undefined) at = skipSpace(text, comma + 1);
  }
  return members;
}

function leaveOut(line: Uint8Array, cuts: readonly Cut[]): Uint8Array {
  const gone = cuts.reduce((sum, [start, end]) => sum + end - start, 0);
  const kept = new Uint8Array(line.length - gone);
  let from = 0;
  let to = 0;
  for (const [start, end] of cuts) {
    kept.set(line.subarray(from, start), to);
    to += start - from;
    from = end;
  }
  kept.set(line.subarray(from), to);
  return kept;
}
