import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { authorityOf } from "../../../../adapters/mcp/server/authority_of.ts";
import { ExactInput } from "../../../../adapters/mcp/server/exact_input.ts";
import { SandboxError } from "../../../../core/errors.ts";
import { exactJson } from "../../../core/arbitrary_json.ts";
import { drawFrom, spell } from "../../../core/json/spelling.ts";
import { callOf, chunks, type Seen, sendHostile } from "../hostile_messages.ts";

test("any messages in any pieces: a call gets the text of its own message or a refusal", () => {
  const seen: Seen = { captured: 0, refused: 0, dropped: 0 };
  const property = fc.property(
    fc.integer(),
    fc.integer({ min: 1, max: 12 }),
    (seed, count) => sendHostile(seed, count, seen),
  );
  fc.assert(property, { numRuns: 2_000 });
  // each kind was met often enough to mean something
  assert(Math.min(seen.captured, seen.refused, seen.dropped) > 200, JSON.stringify(seen));
});

test("any state in any spelling and any pieces is captured as it was spelled", () => {
  fc.assert(fc.property(exactJson, fc.integer(), (value, seed) => {
    const draw = drawFrom(seed);
    const [state, alias] = [spell(value, draw), spell(value, draw)].map((text) =>
      text.toWellFormed().replaceAll(/[\r\n]/g, " ")
    );
    const line = callOf(state!, alias!, "1");
    const input = new ExactInput();
    const messages = [...chunks(new TextEncoder().encode(`${line}\n`), draw)].flatMap((chunk) =>
      input.push(chunk).messages
    );
    assertEquals(messages.map((message) => new TextDecoder().decode(message)), [`${line}\n`]);
    assertEquals(input.sourceTexts(1), { stateText: state, aliasText: alias });
  }));
});

test("keys that an engine may take for others: what is captured is the text all the same", () => {
  // V8 15.0 can read a key with an escape in it as another one that it saw in its place
  const keys = [
    "/",
    "\\\\",
    '\\"',
    "\\u0022",
    "a\\\\",
    'a\\"',
    "\\\\a",
    "\\u0041",
    '\\"\\\\',
    "\\/",
    "A",
    "n",
    "\\n",
  ];
  const object = fc.uniqueArray(fc.constantFrom(...keys), {
    maxLength: 3,
    selector: (key) => JSON.parse(`"${key}"`),
  })
    .map((names) => `{${names.map((name) => `"${name}":{"${name}":1}`).join(",")}}`);
  let captured = 0;
  fc.assert(
    fc.property(fc.array(object, { maxLength: 4 }), (objects) => {
      const state = `[${objects.join(",")}]`;
      const input = new ExactInput();
      const [message] = input.push(new TextEncoder().encode(`${callOf(state, state, "1")}\n`)).messages;
      const request: unknown = JSON.parse(new TextDecoder().decode(message));
      try {
        assertEquals(authorityOf(request, { sourceTexts: input.sourceTexts }).stateText, state);
        captured++;
      } catch (error) {
        // the two readings of one text may differ, and then it is refused
        assertInstanceOf(error, SandboxError);
        assertEquals(error.code, "STATE_CONFLICT");
      }
    }),
    { numRuns: 2_000 },
  );
  assert(captured > 1_000, `${captured} were captured`);
});
