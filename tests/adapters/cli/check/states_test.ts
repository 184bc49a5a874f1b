import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { test } from "node:test";
import { ADDED, EXACT_VALUES, statesFor, withExact } from "../../../../adapters/cli/check/states.ts";
import { compareState } from "../../../../adapters/cli/check/vector.ts";
import { cutJson } from "../../../../core/json/scan.ts";
import { isExactText } from "../../../../core/json/exact_text.ts";

const states = statesFor({ workspace: "/tmp/check/workspace", launcher: "/tmp/check/bin/codex" });
const { usual, other, forged, shell, unknown, exact } = states;

test("all states differ, and have the shape of Codex's own", () => {
  assertEquals(new Set(Object.values(states)).size, 6);
  for (const text of Object.values(states)) {
    const keys = Object.keys(JSON.parse(text)).filter((key) => key !== ADDED);
    assertEquals(keys, Object.keys(JSON.parse(usual)));
    assert(!/[\r\n]/.test(text), "a message is one line");
  }
  assertEquals(JSON.parse(forged).permissionProfile, { type: "disabled" });
  assertEquals(compareState(usual, other).kind, "changed");
});

test("only those with unknown fields have them, and the usual ones come apart nowhere", () => {
  for (const text of [usual, other, forged, shell]) assert(!text.includes(ADDED));
  for (const text of [unknown, exact]) assert(ADDED in JSON.parse(text));
  for (const text of [usual, other, forged, unknown]) assert(!/[ '$`*]/.test(text));
  for (const character of " '\"$`*;&\\") assert(JSON.stringify(JSON.parse(shell)).includes(character));
});

test("the exact state holds each value as it is written", () => {
  const texts = cutJson(exact, EXACT_VALUES.map(([name]) => [ADDED, name]));
  assertEquals(texts, EXACT_VALUES.map(([, text]) => text));
  assertEquals(withExact(usual, EXACT_VALUES), exact);
  assert(!isExactText(exact));
  assertNotEquals(JSON.stringify(JSON.parse(exact)), exact);
});
