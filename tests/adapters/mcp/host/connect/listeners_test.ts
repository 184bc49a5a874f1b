import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { Listeners } from "../../../../../adapters/mcp/host/connect/listeners.ts";

test("listeners are told in order, until they are taken out", () => {
  const told: string[] = [];
  const listeners = new Listeners<number>(() => told.push("threw"));
  const first = (value: number): void => void told.push(`first ${value}`);
  const stop = [
    listeners.add(first),
    listeners.add(first),
    listeners.add((value) => told.push(`second ${value}`)),
  ];
  listeners.tell(1);
  stop[0]!();
  stop[0]!();
  listeners.tell(2);
  listeners.clear();
  listeners.tell(3);
  assertEquals(told, ["first 1", "first 1", "second 1", "first 2", "second 2"]);
});

test("one that throws, adds or takes out keeps nobody from being told", () => {
  const told: string[] = [];
  const listeners = new Listeners<void>(() => told.push("threw"));
  listeners.add(() => {
    throw new Error("its own");
  });
  listeners.add(() => {
    told.push("adds");
    listeners.add(() => told.push("late"));
    stop();
  });
  const stop = listeners.add(() => told.push("taken out"));
  listeners.tell();
  assertEquals(told, ["threw", "adds", "taken out"]);
});
