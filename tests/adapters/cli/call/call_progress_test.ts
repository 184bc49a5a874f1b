import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { progressLine } from "../../../../adapters/cli/call/call_progress.ts";

test("a line says what is known, in one line of the terminal", () => {
  const rows = [
    [null, "Calling a"],
    [{ progress: 3 }, "Calling a 3"],
    [{ progress: 1, total: 3, message: "b" }, "Calling a 33 % (1/3) b"],
    [{ progress: 9, total: 3 }, "Calling a 100 % (9/3)"],
    [{ progress: 1, total: 0 }, "Calling a 1"],
    [{ progress: 1, message: "x\n\u001b[2J" }, "Calling a 1 x\ufffd\ufffd[2J"],
  ] as const;
  for (const [told, line] of rows) assertEquals(progressLine("Calling a", told, 80), line);
  const long = progressLine("Calling a", { progress: 1, message: "😀".repeat(200) }, 40);
  assertEquals([[...long].length, long.endsWith("…")], [37, true]);
  assert(progressLine("Calling a", null, 0).length > 0);
});
