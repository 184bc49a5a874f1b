import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type LineScreen, withMovingLine } from "../../../../adapters/cli/terminal/moving_line.ts";

/** A screen, and all that was drawn on it. */
function screen(isTTY: boolean): LineScreen & { readonly drawn: readonly string[] } {
  const drawn: string[] = [];
  return { isTTY, drawn, write: (text) => drawn.push(text) };
}

test("a line moves while something is awaited, and is gone afterwards", async () => {
  const terminal = screen(true);
  const value = await withMovingLine("one", async (show) => {
    await setTimeout(250);
    show?.("two");
    await setTimeout(250);
    return 7;
  }, terminal);
  assertEquals(value, 7);
  const { drawn } = terminal;
  assert(drawn.some((text) => text.endsWith("one")) && drawn.some((text) => text.endsWith("two")));
  assert(new Set(drawn.map((text) => text.slice(0, 5))).size > 1, "it does not move");
  assertEquals(drawn.at(-1), "\r\u001b[K");
  const before = drawn.length;
  await setTimeout(200);
  assertEquals(drawn.length, before);
});

test("nothing is drawn where nobody looks, nor for what is done at once", async () => {
  const file = screen(false);
  await withMovingLine("one", async (show) => {
    assertEquals(show, undefined);
    await setTimeout(200);
  }, file);
  const terminal = screen(true);
  await withMovingLine("one", () => Promise.resolve(), terminal);
  assertEquals([file.drawn, terminal.drawn], [[], []]);
});

test("work that fails takes its line away", async () => {
  const terminal = screen(true);
  const work = () => setTimeout(150).then(() => Promise.reject(new Error("no")));
  await assertRejects(() => withMovingLine("one", work, terminal), Error, "no");
  assertEquals(terminal.drawn.at(-1), "\r\u001b[K");
});
