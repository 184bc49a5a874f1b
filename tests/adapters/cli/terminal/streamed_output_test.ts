import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { type OutputStream, StreamedOutput } from "../../../../adapters/cli/terminal/streamed_output.ts";

const decode = (bytes: readonly number[]) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes));

/** What is written when `bytes` come in chunks of `size`, and only the first `passed` of them before the result. */
function write(bytes: readonly number[], passed: number, size: number): number[] {
  const written: Record<OutputStream, number[]> = { stdout: [], stderr: [] };
  const output = new StreamedOutput((stream, chunk) => written[stream].push(...chunk));
  for (let at = 0; at < passed; at += size) {
    output.push("stderr", new Uint8Array(bytes.slice(at, Math.min(at + size, passed))));
  }
  output.finish({ stdout: "", stderr: decode(bytes) });
  assertEquals(written.stdout, []);
  return written.stderr;
}

test("every byte is written once, wherever the result overtakes the output", () => {
  const bytes = [...new TextEncoder().encode("\uFEFFaé€😀\n\0end")];
  for (let passed = 0; passed <= bytes.length; passed++) {
    for (const size of [1, 2, 3, 5, bytes.length]) assertEquals(write(bytes, passed, size), bytes);
  }
});

test("bytes that are no UTF-8 go through as they are when they come in time", () => {
  const bytes = [0xff, 0x00, 0xc3, 0x28, 0xf0, 0x9f, 0x0a];
  for (const size of [1, 2, bytes.length]) assertEquals(write(bytes, bytes.length, size), bytes);
  const tail = [...bytes, 0x61, 0x62];
  for (const size of [1, 2, bytes.length]) assertEquals(write(tail, bytes.length, size), tail);
});

test("the streams are counted apart", () => {
  const written: string[] = [];
  const output = new StreamedOutput((stream, chunk) =>
    written.push(`${stream} ${new TextDecoder().decode(chunk)}`)
  );
  output.push("stdout", new TextEncoder().encode("out"));
  output.finish({ stdout: "out", stderr: "err" });
  assertEquals(written, ["stdout out", "stderr err"]);
});
