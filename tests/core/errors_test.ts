import { test } from "node:test";
import { inspect } from "node:util";
import { assert, assertInstanceOf, assertStrictEquals } from "@std/assert";
import { CodexMcpError, JsonError, ProcessError, quote, SandboxError } from "../../core/errors.ts";

const cause = new Error("why");
const errors = [
  new SandboxError("STATE_MISSING", "Cannot", { cause }),
  new ProcessError("SPAWN_FAILED", "Cannot", { cause }),
  new JsonError("JSON_MALFORMED", "Cannot", { cause }),
];

test("errors: name, code, message and cause, one base", () => {
  const names = ["SandboxError", "ProcessError", "JsonError"];
  const codes = ["STATE_MISSING", "SPAWN_FAILED", "JSON_MALFORMED"];
  errors.forEach((error, i) => {
    assertInstanceOf(error, Error);
    assert(error instanceof CodexMcpError);
    assertStrictEquals(error.name, names[i]!);
    assertStrictEquals(error.code, codes[i]!);
    assertStrictEquals(error.message, "Cannot");
    assertStrictEquals(error.cause, cause);
    assertStrictEquals(String(error), `${names[i]}: Cannot`);
    assert(inspect(error).includes(codes[i]!));
  });
});

test("errors: the name is the instance's own, so that a minified class keeps it", () => {
  for (const error of errors) assert(Object.hasOwn(error, "name") && Object.hasOwn(error, "code"));
});

test("errors: no cause, no property for it", () => {
  assert(!Object.hasOwn(new SandboxError("STATE_MISSING", "Cannot"), "cause"));
});

test("quote: JSON-encoded, cut after 80 characters", () => {
  assertStrictEquals(quote("a"), '"a"');
  assertStrictEquals(quote('a"\n\u001b[0m'), '"a\\"\\n\\u001b[0m"');
  assertStrictEquals(quote("x".repeat(80)), `"${"x".repeat(80)}"`);
  assertStrictEquals(quote("x".repeat(81)), `"${"x".repeat(80)}…"`);
  assertStrictEquals(quote("\ud800"), '"\\ud800"');
  assert(quote(`${"x".repeat(79)}😀`).isWellFormed());
});
