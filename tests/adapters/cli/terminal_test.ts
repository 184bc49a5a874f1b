import { assertEquals } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { paint, withSpinner } from "../../../adapters/cli/terminal.ts";

/** Runs `body` with `NO_COLOR` at a value. */
function withNoColor<Value>(value: string | undefined, body: () => Value): Value {
  const before = process.env["NO_COLOR"];
  try {
    if (value === undefined) delete process.env["NO_COLOR"];
    else process.env["NO_COLOR"] = value;
    return body();
  } finally {
    if (before === undefined) delete process.env["NO_COLOR"];
    else process.env["NO_COLOR"] = before;
  }
}

test("a tone is a colour on a terminal", () => {
  withNoColor(undefined, () => {
    const painted = (["good", "bad", "quiet"] as const).map((tone) => paint("x", tone, { isTTY: true }));
    assertEquals(painted, ["\u001b[32mx\u001b[0m", "\u001b[31mx\u001b[0m", "\u001b[2mx\u001b[0m"]);
  });
});

test("there is no colour elsewhere, or with NO_COLOR", () => {
  withNoColor(undefined, () => {
    assertEquals([paint("x", "bad", {}), paint("x", "bad", { isTTY: false })], ["x", "x"]);
  });
  withNoColor("1", () => assertEquals(paint("x", "bad", { isTTY: true }), "x"));
  withNoColor("0", () => assertEquals(paint("x", "bad", { isTTY: true }), "x"));
  withNoColor("", () => assertEquals(paint("x", "bad", { isTTY: true }), "\u001b[31mx\u001b[0m"));
});

test("work under a spinner gives its value or its error", async () => {
  assertEquals(await withSpinner("Working", () => Promise.resolve(7)), 7);
  const error = new Error("no");
  const thrown = await withSpinner("Working", () => Promise.reject(error)).catch((reason: unknown) => reason);
  assertEquals(thrown === error, true);
});
