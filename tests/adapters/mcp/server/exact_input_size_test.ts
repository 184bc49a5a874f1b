import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { ExactInput } from "../../../../adapters/mcp/server/exact_input.ts";
import { assertLinear } from "../../../core/json/growth.ts";

/** A call with a state of about `size` characters. */
function callOf(size: number): string {
  const state = `[${"1.0,".repeat(size / 4)}1]`;
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"codex/sandbox-state":${state}}}}\n`;
}

function feed(line: string, chunk: number): number {
  const bytes = new TextEncoder().encode(line);
  const input = new ExactInput();
  for (let at = 0; at < bytes.length; at += chunk) input.push(bytes.subarray(at, at + chunk));
  return input.sourceTexts(1).stateText?.length ?? 0;
}

test("ten times the message costs ten times the time, in small chunks and in one", () => {
  for (const chunk of [64, 65_536, Infinity]) {
    assertLinear(`chunks of ${chunk}`, { make: callOf, run: (line) => feed(line, chunk) });
  }
});

test("many messages in one chunk cost no more than as many bytes of one", () => {
  assertLinear("short messages", {
    make: (size) => callOf(40).repeat(size / 100),
    run: (lines) => feed(lines, Infinity),
  });
});

test("10 MB are read in one go, and as chunks of a pipe", () => {
  const line = callOf(10_000_000);
  for (const chunk of [65_536, Infinity]) assertEquals(feed(line, chunk), 10_000_003);
});
