import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { type InputSource, typedInput } from "../../../../adapters/cli/enterprise/typed_input.ts";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { InterruptedError } from "../../../../adapters/cli/terminal/interruption.ts";

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

test("lines come one by one, however they arrive", async () => {
  const input = typedInput(chunks("a\r\nb", "c\n\nlast"));
  assertEquals([await input.line(), await input.line(), await input.line(), await input.line()], [
    "a",
    "bc",
    "",
    "last",
  ]);
  assertEquals([await input.line(), await input.line()], [null, null]);
});

test("a character in two chunks is one character", async () => {
  const bytes = new TextEncoder().encode("é\n");
  async function* split(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes.subarray(0, 1));
    yield bytes.subarray(1);
  }
  assertEquals(await typedInput(split()).line(), "é");
});

test("a secret is a line, and must be there", async () => {
  const input = typedInput(chunks("  one \ntwo"));
  assertEquals([await input.secret("A secret"), await input.secret("A secret")], ["one", "two"]);
  for (const text of ["", "\n", "   \n"]) {
    const error = await assertRejects(() => typedInput(chunks(text)).secret("The token"), UsageError);
    assertEquals(error.message, "The token is to come on standard input, and nothing came.");
  }
});

test("a line without end is not read for ever", async () => {
  const endless = chunks(...Array<string>(100).fill("x".repeat(1024)));
  await assertRejects(() => typedInput(endless).line(), UsageError, "too long");
});

test("only a yes is a yes", async () => {
  for (const [text, expected] of [["y\n", true], ["YES\n", true], [" y \r\n", true]] as const) {
    assertEquals(await typedInput(chunks(text)).confirm("Sure?"), expected);
  }
  for (const text of ["", "\n", "n\n", "yep\n", "yes please\n"]) {
    assertEquals(await typedInput(chunks(text)).confirm("Sure?"), false);
  }
});

/** A terminal on which these keys are pressed, and when it was switched to single keys. */
function terminal(...keys: readonly string[]): InputSource & { readonly modes: readonly boolean[] } {
  const modes: boolean[] = [];
  return {
    isTTY: true,
    modes,
    setRawMode: (raw) => modes.push(raw),
    [Symbol.asyncIterator]: () => chunks(...keys),
  };
}

test("a secret on a terminal is typed unseen, with what was rubbed out", async () => {
  for (const keys of [["ab", "c\r"], ["xyz\u0015abd\u007fc\r\n"], ["abc\u0004"], ["a😀\u0008bc"]] as const) {
    const input = terminal(...keys);
    assertEquals(await typedInput(input).secret("A secret"), "abc");
    assertEquals(input.modes, [true, false]);
  }
});

test("what is typed ahead of a question is its answer", async () => {
  const input = typedInput(terminal("secret\ry\n"));
  assertEquals([await input.secret("A secret"), await input.confirm("Sure?")], ["secret", true]);
});

test("the key that interrupts ends the question, and the terminal is as it was", async () => {
  const input = terminal("sec\u0003ret\r");
  const error = await assertRejects(() => typedInput(input).secret("A secret"), InterruptedError);
  assertEquals([error.signal, input.modes], ["SIGINT", [true, false]]);
});
