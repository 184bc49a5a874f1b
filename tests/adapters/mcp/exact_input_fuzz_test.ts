import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { ExactInput } from "../../../adapters/mcp/exact_input.ts";
import { exactJson } from "../../core/arbitrary_json.ts";
import { drawFrom, spell } from "../../core/json/spelling.ts";
import { callOf, chunks, type Seen, sendHostile } from "./hostile_messages.ts";

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
