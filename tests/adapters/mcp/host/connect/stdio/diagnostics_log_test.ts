import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { DiagnosticsLog } from "../../../../../../adapters/mcp/host/connect/stdio/diagnostics_log.ts";

function logOf(texts: readonly string[], maxBytes?: number): DiagnosticsLog {
  const log = new DiagnosticsLog(maxBytes);
  for (const text of texts) log.push(new TextEncoder().encode(text));
  return log;
}

test("what fits is kept whole, however it came", () => {
  assertEquals(logOf([]).text(), "");
  assertEquals(logOf(["one\ntw", "o\n"]).text(), "one\ntwo\n");
  const smiley = new TextEncoder().encode("😀\n");
  const log = new DiagnosticsLog();
  for (const byte of smiley) log.push(Uint8Array.of(byte));
  assertEquals(log.text(), "😀\n");
});

test("the end is kept, from the first whole line on", () => {
  assertEquals(logOf(["first\n", "second\n", "third\n"], 10).text(), "third\n");
  assertEquals(logOf(["0123456789\nabc"], 8).text(), "abc");
  assertEquals(logOf(["0123456789"], 4).text(), "6789");
});

test("a last line that is longer than the log shows its end", () => {
  assertEquals(logOf(["0123456789\n"], 4).text(), "789\n");
  assertEquals(logOf(["0123456789", "\n", "\n"], 4).text(), "89\n\n");
  assertEquals(logOf(["0123456789\n", "ab\n"], 8).text(), "ab\n");
  assertEquals(logOf([`${"x".repeat(70_000)} the reason\r\n`]).text().slice(-12), " the reason\n");
});

test("many chunks cost no more than their bytes", () => {
  const log = new DiagnosticsLog(1_000);
  for (let line = 0; line < 10_000; line++) log.push(new TextEncoder().encode(`${line}\n`));
  const lines = log.text().trim().split("\n");
  assertEquals([lines.at(-1), lines.length], ["9999", 199]);
});

test("a chunk that its reader uses again is not changed in the log", () => {
  const log = new DiagnosticsLog();
  const chunk = new TextEncoder().encode("kept\n");
  log.push(chunk);
  chunk.fill(0x78);
  assertEquals(log.text(), "kept\n");
});

test("nothing of it is a command to a terminal", () => {
  assertEquals(
    logOf(["\u001b[2J\u0007\u009b1m\u202e\u2066\u2028\u0000 \ttab\r\nover\rwritten\n"]).text(),
    "\\u001b[2J\\u0007\\u009b1m\\u202e\\u2066\\u2028\\u0000 \ttab\nover\\u000dwritten\n",
  );
  const log = new DiagnosticsLog();
  log.push(Uint8Array.of(0xff, 0x41, 0x0a));
  assertEquals(log.text(), "\ufffdA\n");
});
