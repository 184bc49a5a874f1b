import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import {
  changedAuthority,
  tooManySessions,
  unknownSession,
} from "../../../adapters/sandbox/_session_refusals.ts";

test("a changed authority says where, at most five times, and what became of the process", () => {
  const { name, code, message } = changedAuthority(["/state/a", "/b", "/c", "/d", "/e", "/f"]);
  assertEquals([name, code], ["SandboxError", "AUTHORITY_CHANGED"]);
  assertStringIncludes(message, '6 place(s) differ ("/state/a", "/b", "/c", "/d", "/e");');
  assertStringIncludes(message, "its process was ended");
});

test("an id that is not the caller's is quoted and cut", () => {
  const { name, code, message } = unknownSession(`"\n${"x".repeat(500)}`);
  assertEquals([name, code], ["SessionError", "SESSION_UNKNOWN"]);
  assertStringIncludes(message, '"\\"\\nxxx');
  assertEquals(message.length < 250, true);
});

test("one session too many says how many run", () => {
  const { code, message } = tooManySessions(16);
  assertEquals(code, "SESSION_LIMIT");
  assertStringIncludes(message, "16 run already");
});
