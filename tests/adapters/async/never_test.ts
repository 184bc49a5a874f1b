import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { never } from "../../../adapters/async/never.ts";

test("nothing is aborted, and nobody shares a signal with anybody", () => {
  const signals = new Set([never(), never()]);
  assertEquals([...signals].map(({ aborted }) => aborted), [false, false]);
});
