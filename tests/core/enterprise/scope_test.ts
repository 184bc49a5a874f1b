import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { isSameSet, isWithin, parseScopes, scopeText, stepUp } from "../../../core/enterprise/scope.ts";

test("parseScopes: a set, or nothing", () => {
  assertEquals(parseScopes("b a  b "), ["b", "a"]);
  assertEquals(parseScopes(""), []);
  for (const wrong of ['a"', "a\\b", "ä", "a\tb", "a\nb", 7, null, undefined, ["a"]]) {
    assertEquals(parseScopes(wrong), null);
  }
});

test("scopeText: an empty parameter is not sent", () => {
  assertEquals([scopeText(null), scopeText([]), scopeText(["a", "b"])], [undefined, undefined, "a b"]);
});

test("isWithin, isSameSet: as sets", () => {
  assertEquals([isWithin([], []), isWithin(["a"], ["b", "a"]), isWithin(["a", "c"], ["a"])], [
    true,
    true,
    false,
  ]);
  assertEquals([
    isSameSet(["a", "b"], ["b", "a"]),
    isSameSet(["a"], ["a", "b"]),
    isSameSet(["a", "b"], ["a"]),
  ], [
    true,
    false,
    false,
  ]);
});

test("stepUp: once, what the challenge asks for, within what is allowed", () => {
  const facts = { configured: ["read"], allowed: null, challenge: "write admin", steppedUp: false };
  assertEquals(stepUp(facts), { scopes: ["write", "admin"] });
  assertEquals(stepUp({ ...facts, allowed: ["read", "write", "admin"] }), {
    scopes: ["read", "write", "admin"],
  });
  assertEquals(stepUp({ ...facts, allowed: ["read", "write"] }), { refused: "not-allowed" });
  assertEquals(stepUp({ ...facts, allowed: [] }), { refused: "not-allowed" });
  assertEquals(stepUp({ ...facts, steppedUp: true }), { refused: "only-once" });
  for (const challenge of [undefined, "", 7, 'a"b']) {
    assertEquals(stepUp({ ...facts, challenge }), { refused: "challenge-without-scope" });
  }
});
