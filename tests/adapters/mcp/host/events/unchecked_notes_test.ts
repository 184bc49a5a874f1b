import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { UncheckedNotes } from "../../../../../adapters/mcp/host/events/unchecked_notes.ts";

test("each tool of each server is told of once", () => {
  const told: string[] = [];
  const notes = new UncheckedNotes({
    emit: (event) => void told.push(event.kind === "log" ? event.message : ""),
  });
  for (const [server, tool] of [["s", "t"], ["s", "t"], ["s", "u"], ["x", "t"]] as const) {
    notes.unchecked(server, tool);
  }
  assertEquals(told.map((one) => one.split(" are delivered")[0]), [
    'Answers of "t" at "s"',
    'Answers of "u" at "s"',
    'Answers of "t" at "x"',
  ]);
});
