import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import {
  commandIn,
  compareState,
  nearestState,
  stateIn,
  vectorFlaw,
} from "../../../../adapters/cli/check/vector.ts";

const STATE = '{"a": 1}';
const START = ["sandbox", "--sandbox-state-json", STATE];

test("the vector of the contract has no flaw, with and without modifiers", () => {
  const modifiers = ["--sandbox-state-readable-root", "--", "--sandbox-state-disable-network"];
  assertEquals(vectorFlaw([...START, "--", "true"]), undefined);
  assertEquals(vectorFlaw([...START, ...modifiers, "--", "a", "--", "-C"]), undefined);
});

test("each flaw of a vector is told", () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /first argument is missing/],
    [["exec", ...START.slice(1), "--", "a"], /first argument is "exec", not "sandbox"/],
    [["sandbox", "-C", "/", "--sandbox-state-json", STATE, "--", "a"], /second argument is "-C"/],
    [["sandbox", `--sandbox-state-json=${STATE}`, "--", "a"], /second argument is "--sandbox-state-json=/],
    [["sandbox", "--sandbox-state-json", '{"a":', "1}", "--", "a"], /is not the state: "{\\"a\\":"/],
    [["sandbox", "--sandbox-state-json"], /is not the state: missing/],
    [[...START, "--full-auto", "--", "a"], /"--full-auto" stands between the state and "--"/],
    [[...START, "a"], /"a" stands between the state and "--"/],
    [START, /there is no "--"/],
    [[...START, "--"], /there is no command/],
  ];
  for (const [args, flaw] of cases) assertMatch(vectorFlaw(args) ?? "none", flaw);
});

test("state and command are found in a vector with flaws", () => {
  assertEquals(stateIn(["-x", "--sandbox-state-json", STATE]), STATE);
  assertEquals(stateIn(["sandbox", `--sandbox-state-json=${STATE}`]), STATE);
  assertEquals(stateIn(["sandbox", "--", "a"]), undefined);
  assertEquals(commandIn([...START, "--", "a", "--", "b"]), ["a", "--", "b"]);
  assertEquals(commandIn(START), []);
});

test("a state is traced to the one that it comes from, edited or not", () => {
  const states = { one: '{"kind":"read","place":"/a","n":1}', two: '{"kind":"write","place":"/b","n":1}' };
  assertEquals(nearestState(states.one, states), "one");
  assertEquals(nearestState('{"kind":"write","place":"/b","n":2,"m":0}', states), "two");
  assertEquals(nearestState("{", states), undefined);
  assertEquals(nearestState(undefined, states), undefined);
});

test("byte for byte, the same value, another value and no value are told apart", () => {
  const sent = '{"n": 9007199254740993, "f": 1.0}';
  assertEquals(compareState(sent, sent), { kind: "identical" });
  assertEquals(compareState(sent, '{"f":1,"n":9007199254740993}'), { kind: "rewritten" });
  assertEquals(compareState(sent, '{"n":9007199254740992,"f":1}'), { kind: "changed", places: ["/n"] });
  assertEquals(compareState(sent, '{"n":9007199254740993}'), { kind: "changed", places: ["/f"] });
  for (const broken of [undefined, "", "{", '{"n":NaN}', '{"n":1,"n":1}']) {
    assertEquals(compareState(sent, broken), { kind: "broken" });
  }
});
