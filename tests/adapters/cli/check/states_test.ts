import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { test } from "node:test";
import { ADDED, EXACT_VALUES, respell, statesFor, withExact } from "../../../../adapters/cli/check/states.ts";
import { compareState } from "../../../../adapters/cli/check/vector.ts";
import { cutJson } from "../../../../core/json/scan.ts";
import { isExactText } from "../../../../core/json/exact_text.ts";

const states = statesFor({ workspace: "/tmp/check/workspace", launcher: "/tmp/check/bin/codex" });
const { usual, other, bare, legacy, forged, shell, unknown, exact } = states;

test("all states differ, and have the shape of Codex's own", () => {
  assertEquals(new Set(Object.values(states)).size, 8);
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
  for (const text of [usual, other, bare, legacy, forged, unknown]) assert(!/[ '$`*]/.test(text));
  for (const character of " '\"$`*;&\\") assert(JSON.stringify(JSON.parse(shell)).includes(character));
});

test("what is left open is null, and both kinds of sandbox are there", () => {
  const both = [bare, legacy].map((text) => JSON.parse(text));
  assertEquals(both.map((state) => state.codexLinuxSandboxExe), [null, null]);
  assertEquals(both.map((state) => state.useLegacyLandlock), [false, true]);
});

test("other spellings mean the same, and no writer comes to them by itself", () => {
  for (const state of [usual, other]) {
    const spellings = respell(state);
    for (const text of spellings) assertEquals(compareState(state, text).kind, "rewritten");
    const keys = spellings.map((text) => Object.keys(JSON.parse(text)));
    const orders = [...keys, keys[0]!.toSorted(), Object.keys(JSON.parse(state))];
    assertEquals(new Set(orders.map(String)).size, 4);
  }
});

test("the exact state holds each value as it is written", () => {
  const texts = cutJson(exact, EXACT_VALUES.map(([name]) => [ADDED, name]));
  assertEquals(texts, EXACT_VALUES.map(([, text]) => text));
  assertEquals(withExact(usual, EXACT_VALUES), exact);
  assert(!isExactText(exact));
  assertNotEquals(JSON.stringify(JSON.parse(exact)), exact);
});
