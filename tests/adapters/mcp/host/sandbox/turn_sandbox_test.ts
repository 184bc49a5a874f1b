import { assert, assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { captureTurn } from "../../../../../adapters/mcp/host/sandbox/turn_sandbox.ts";
import { JsonError, SandboxError } from "../../../../../core/errors.ts";

test("what is given is copied: state, roots, and nothing optional is left", () => {
  const state = { a: [1] };
  const writableRoots = ["/a"];
  const turn = captureTurn({ state, writableRoots });
  state.a.push(2);
  writableRoots.push("/b");
  assertEquals(turn, {
    environment: "local",
    stateText: '{"a":[1]}',
    launcher: null,
    writableRoots: ["/a"],
    workspace: null,
  });
  assert(Object.isFrozen(turn) && Object.isFrozen(turn.writableRoots));
});

test("a text is kept as it is, and counts before a value; null is a state, and absence is none", () => {
  const stateText = ' {"n": 9007199254740993, "n2": 1.0} ';
  assertEquals(captureTurn({ state: 1, stateText }).stateText, stateText);
  assertEquals(captureTurn({ state: null }).stateText, "null");
  assertEquals(captureTurn({}).stateText, null);
});

test("a value that JavaScript does not write as it is meant is refused, and so is a text that is no JSON", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  for (const state of [Infinity, -0, 2 ** 60, circle, { f: () => 1 }, new Date(0)]) {
    const error = assertThrows(() => captureTurn({ state: state as never }), SandboxError);
    assertEquals(error.code, "STATE_INEXACT");
  }
  const error = assertThrows(() => captureTurn({ stateText: "{secret policy" }), JsonError);
  assert(
    error.code === "JSON_MALFORMED" && !`${error.stack}${String(error.cause)}`.includes("secret policy"),
  );
});

test("a text that UTF-8 cannot write is refused", () => {
  const error = assertThrows(() => captureTurn({ stateText: '{"root":"/\ud800"}' }), SandboxError);
  assert(error.code === "STATE_INEXACT" && !error.message.includes("root"));
  assertEquals(captureTurn({ stateText: '"\\ud800"' }).stateText, '"\\ud800"');
});
