import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { test } from "node:test";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { parseArguments, readArguments } from "../../../../adapters/cli/call/call_arguments.ts";

test("an object is what it says, and nothing is an empty one", async () => {
  assertEquals(
    parseArguments(' {"a": [1.50, null, "é"], "__proto__": {}} '),
    JSON.parse('{"a":[1.5,null,"é"],"__proto__":{}}'),
  );
  assertEquals(await readArguments(undefined), {});
  assertEquals(await readArguments('{"a":1}'), { a: 1 });
});

test("what is none is refused with its place", () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ["", /no JSON at line 1, column 1\.$/],
    ['{"a":\n 1,}', /no JSON at line 2, column 4\.$/],
    ['{"é😀" 1}', /no JSON at line 1, column 7\.$/],
    ["\n\n  [1]", /must be a JSON object, and an array begins at line 3, column 3\.$/],
    ["null", /null begins at line 1/],
    ["7", /a number begins/],
    ['"x"', /a string begins/],
  ];
  for (const [text, pattern] of rows) {
    const error = assertThrows(() => parseArguments(text), UsageError);
    assertMatch(error.message, pattern);
  }
});

test("what would be changed on the way is refused, and named", () => {
  for (const number of ["9007199254740993", "1e400", "-0", "0.1000000000000000055511151231257827021"]) {
    const error = assertThrows(() => parseArguments(`{"a": [${number}]}`), UsageError);
    assertMatch(error.message, /changed on the way: ".+" has more digits/, number);
  }
  assertMatch(
    assertThrows(() => parseArguments('{"a": 1, "a": 2}'), UsageError).message,
    /names a key twice/,
  );
});
