import { assertEquals, assertInstanceOf, fail } from "@std/assert";
import { test } from "node:test";
import { JsonError } from "../../../core/errors.ts";
import { cutElements, cutJson } from "../../../core/json/scan.ts";
import { readPlainly, textAt } from "./plain_reader.ts";
import { drawFrom, mutate, pick } from "./spelling.ts";

const RUNS = 20_000;
const SEED = 20261019;

const PATHS = [
  ["id"],
  ["method"],
  ["params"],
  ["params", "_meta", "codex/sandbox-state"],
  ["params", "_meta", "codex/sandbox-state-meta"],
];

const STATE = '{"permissionProfile":{"type":"managed","n":[1.0,-0,9007199254740993,1e400]},"cwd":"/a b/ü😀"}';

const MESSAGES = [
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","_meta":{"codex/sandbox-state":${STATE},` +
  `"codex/sandbox-state-meta":${STATE},"progressToken":"\\u0041\\"x"}}}`,
  ` { "id" : "a\\/b" , "params" : { "_m\\u0065ta" : { "codex\\/sandbox-state" : null , "x" : [ [ ] , { } ] } } } `,
  '{"params":{"_meta":{"codex/sandbox-state":[[[{"a":[true,false,null]}]]]}},"id":-1.5e+3,"method":"a"}',
  '{"id":"a string that is long enough to be searched \\\\","method":"and another long one, with \\" in it","x":{"id":1,"id":2}}',
  '{"params":[{"_meta":1}],"method":{"id":0},"id":{}}',
  '[{"id":1},{"id":2,"params":{}},"a",1]',
  '"\\ud83d\\ude00 \ud83d\ude00"',
  "-12.50E-7",
];

type Outcome<T> = { readonly value: T } | { readonly code: string; readonly offset: number };

/** What `body` gives or is refused with; any other error fails the test. */
function outcomeOf<T>(body: () => T): Outcome<T> {
  try {
    return { value: body() };
  } catch (error) {
    assertInstanceOf(error, JsonError);
    return { code: error.code, offset: error.offset ?? fail("a refusal has an offset") };
  }
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

test("changed messages: the scanner agrees with JSON.parse and with a plain reader", () => {
  const draw = drawFrom(SEED);
  const seen = { cut: 0, malformed: 0, duplicate: 0 };
  for (let run = 0; run < RUNS; run++) {
    const text = mutate(pick(MESSAGES, draw), draw);
    const parsed = parse(text);
    const outcome = outcomeOf(() => cutJson(text, PATHS));
    if (parsed === null) {
      if (!("code" in outcome)) fail(`run ${run}: malformed and accepted: ${JSON.stringify(text)}`);
      // a member may have come twice before the flaw
      if (outcome.code === "JSON_MALFORMED") checkOffset(text, outcome.offset);
      seen.malformed++;
      continue;
    }
    const node = readPlainly(text);
    const expected = PATHS.map((path) => textAt(node, path));
    if (expected.includes("repeated")) {
      assertEquals("code" in outcome && outcome.code, "JSON_DUPLICATE_KEY", `run ${run}: ${text}`);
      seen.duplicate++;
      continue;
    }
    if ("code" in outcome) fail(`run ${run}: JSON and refused at ${outcome.offset}: ${JSON.stringify(text)}`);
    outcome.value.forEach((cut, i) => {
      const plain = expected[i];
      assertEquals({ text: cut }, plain, `run ${run}: ${text}`);
      assertEquals(cut === undefined ? undefined : JSON.parse(cut), memberAt(parsed.value, PATHS[i]!));
    });
    seen.cut++;
  }
  // each kind of outcome was met often enough to mean something
  for (const [kind, times] of Object.entries(seen)) {
    if (times < RUNS / 100) fail(`only ${times} of ${RUNS} were ${kind}`);
  }
});

/** Everything before a flaw could still become JSON, or is JSON by itself. */
function checkOffset(text: string, offset: number): void {
  const before = outcomeOf(() => cutJson(text.slice(0, offset), []));
  if ("code" in before) assertEquals(before.offset, offset, JSON.stringify(text));
  const through = outcomeOf(() => cutJson(text.slice(0, offset + 1), []));
  assertEquals("code" in through && through.offset, offset, JSON.stringify(text));
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const name of path) {
    if (typeof here !== "object" || here === null || Array.isArray(here) || !Object.hasOwn(here, name)) {
      return undefined;
    }
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}

test("changed arrays: their elements are those of JSON.parse", () => {
  const draw = drawFrom(SEED + 1);
  const seen = { array: 0, refused: 0 };
  for (let run = 0; run < RUNS / 4; run++) {
    const text = mutate(`[${pick(MESSAGES, draw)}, 1 ,${pick(MESSAGES, draw)}]`, draw);
    const parsed = parse(text);
    const outcome = outcomeOf(() => cutElements(text));
    if ("code" in outcome) {
      assertEquals(parsed, null, `run ${run}: ${text}`);
      seen.refused++;
    } else if (outcome.value === undefined) {
      assertEquals(Array.isArray(parsed?.value), false, `run ${run}: ${text}`);
    } else {
      assertEquals(outcome.value.map((element) => JSON.parse(element)), parsed?.value, `run ${run}: ${text}`);
      seen.array++;
    }
  }
  if (seen.array < 100 || seen.refused < 100) fail(`too few of one kind: ${JSON.stringify(seen)}`);
});
