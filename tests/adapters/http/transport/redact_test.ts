/**
 * Of someone else's error only name, code and status are left.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { redactError } from "../../../../adapters/http/transport/redact.ts";

test("name, code and status are kept, and nothing else", () => {
  const error = Object.assign(new TypeError("secret"), {
    code: "OAUTH_PARSE_ERROR",
    status: 400,
    body: "secret",
  });
  assertEquals(redactError(error), { name: "TypeError", code: "OAUTH_PARSE_ERROR", status: 400 });
  assertEquals(redactError(new Error("secret", { cause: { token: "secret" } })), {
    name: "Error",
    code: null,
    status: null,
  });
});

test("the code of the cause stands in for one of its own", () => {
  const cause = Object.assign(new Error("secret"), { code: "ECONNRESET" });
  assertEquals(redactError(new TypeError("x", { cause })).code, "ECONNRESET");
});

test("what does not look like a code, a name or a status is dropped", () => {
  const error = Object.assign(new Error("x"), { code: "a secret text", status: 7, name: "a secret name" });
  assertEquals(redactError(error), { name: "Error", code: null, status: null });
  assertEquals(redactError("a secret"), { name: "Error", code: null, status: null });
  assertEquals(redactError(null), { name: "Error", code: null, status: null });
  assertEquals(redactError(new DOMException("x", "AbortError")), {
    name: "AbortError",
    code: null,
    status: null,
  });
});
