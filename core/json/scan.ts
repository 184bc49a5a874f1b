/**
 * Cuts the source text of values out of a JSON text, by path and in one pass. What is on no path is checked and
 * passed over; nothing is decoded but a key with an escape in it.
 *
 * `JSON.parse` gives the last of two members with one name, rounds numbers and moves keys; a text that was cut
 * is what the sender wrote. The grammar itself is in `skip.ts`.
 *
 * @module
 */

import { JsonError } from "../errors.ts";
import { keyOf, malformed, skipColon, skipEnd, skipSpace, skipString, skipValue } from "./skip.ts";

/** A place on a path: which results it fills, and which members lead on. */
interface Step {
  readonly results: number[];
  readonly members: Map<string, Step>;
}

/** An object on a path while it is read. */
interface OpenObject {
  readonly step: Step;
  readonly start: number;
  /** Its members on a path that were met so far. */
  readonly met: Set<Step>;
}

/**
 * The source texts of the values that stand at `paths` in a JSON text, in the order of `paths`, without the
 * white space around them. `undefined` where there is none: a member is missing, or a path leads into something
 * that is no object. A path is a list of member names; the empty one is the whole text. Array elements have no
 * path: see {@linkcode cutElements}.
 *
 * All of `text` is checked, and accepted exactly where `JSON.parse` accepts it. Names are compared as they are
 * meant (`"\u0069d"` is `id`), and a member on a path must not come twice; elsewhere it may. A number, a string
 * or a structure of any size or depth costs time in proportion to its length.
 *
 * @throws {JsonError} `JSON_MALFORMED` when `text` is not JSON; `offset` tells where it stops being JSON.
 * @throws {JsonError} `JSON_DUPLICATE_KEY` when a member on a path comes twice; `offset` is that of the second.
 *
 * @example
 * ```ts
 * import { cutJson } from "./scan.ts";
 *
 * const [id, big] = cutJson('{"id": 7, "params": {"n": 9007199254740993}}', [["id"], ["params", "n"]]);
 * console.log(id, big); // 7 9007199254740993
 * ```
 */
export function cutJson(
  text: string,
  paths: readonly (readonly string[])[],
): readonly (string | undefined)[] {
  const found = paths.map((): string | undefined => undefined);
  const open: OpenObject[] = [];
  let step: Step | undefined = planSteps(paths);
  let known = ""; // the longest structure that was cut so far
  let at = skipSpace(text, 0);
  for (;;) {
    const start = at;
    if (step !== undefined && step.members.size > 0 && text[at] === "{") {
      const object: OpenObject = { step, start, met: new Set() };
      at = skipSpace(text, at + 1);
      open.push(object);
      if (text[at] !== "}") {
        step = enterMember(object);
        continue;
      }
    } else {
      // the state and its alias are equal as a rule, and a comparison is cheaper than a second look
      const repeated = step !== undefined && known !== "" &&
        text.slice(start, start + known.length) === known;
      at = repeated ? start + known.length : skipValue(text, start);
      keep(step, start);
    }

    for (;;) {
      const object = open.at(-1);
      if (object === undefined) {
        skipEnd(text, at);
        return found;
      }
      at = skipSpace(text, at);
      if (text[at] === ",") {
        at = skipSpace(text, at + 1);
        step = enterMember(object);
        break;
      }
      if (text[at] !== "}") throw malformed(at);
      at++;
      open.pop();
      keep(object.step, object.start);
    }
  }

  /** Reads the key at `at` and moves to its value. */
  function enterMember(object: OpenObject): Step | undefined {
    const start = at;
    const end = skipString(text, start);
    at = skipColon(text, end);
    const member = object.step.members.get(keyOf(text.slice(start, end)));
    if (member !== undefined) {
      if (object.met.has(member)) throw duplicate(start);
      object.met.add(member);
    }
    return member;
  }

  function keep(place: Step | undefined, start: number): void {
    if (place === undefined || place.results.length === 0) return;
    const cut = text.slice(start, at);
    for (const result of place.results) found[result] = cut;
    if (cut.length > known.length && (cut.startsWith("{") || cut.startsWith("["))) known = cut;
  }
}

/**
 * The source texts of the elements of a JSON array, without the white space around them; `undefined` when the
 * text is no array, and then nothing of it is checked.
 *
 * @throws {JsonError} `JSON_MALFORMED` when an array begins and it is not JSON, or something follows it.
 */
export function cutElements(text: string): readonly string[] | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== "[") return undefined;
  const elements: string[] = [];
  at = skipSpace(text, at + 1);
  if (text[at] !== "]") {
    for (;;) {
      const end = skipValue(text, at);
      elements.push(text.slice(at, end));
      at = skipSpace(text, end);
      if (text[at] === "]") break;
      if (text[at] !== ",") throw malformed(at);
      at = skipSpace(text, at + 1);
    }
  }
  skipEnd(text, at + 1);
  return elements;
}

function planSteps(paths: readonly (readonly string[])[]): Step {
  const root: Step = { results: [], members: new Map() };
  paths.forEach((path, result) => {
    let step = root;
    for (const name of path) {
      const next: Step = step.members.get(name) ?? { results: [], members: new Map() };
      step.members.set(name, next);
      step = next;
    }
    step.results.push(result);
  });
  return root;
}

function duplicate(offset: number): JsonError {
  return new JsonError(
    "JSON_DUPLICATE_KEY",
    `Cannot read a JSON text: an object names a key twice, at offset ${offset}`,
    { offset },
  );
}
