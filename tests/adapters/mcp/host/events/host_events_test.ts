import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { EventHub, type HostEvent } from "../../../../../adapters/mcp/host/events/host_events.ts";

const EVENT: HostEvent = { kind: "catalog-changed", server: "s", thread: null };

test("each listener hears each event, twice if it listens twice, and nothing after it left", () => {
  const hub = new EventHub();
  const heard: HostEvent[] = [];
  const listener = (event: HostEvent): unknown => heard.push(event);
  const leave = hub.subscribe(listener);
  hub.subscribe(listener);
  hub.emit(EVENT);
  leave();
  leave();
  hub.emit(EVENT);
  assertEquals(heard, [EVENT, EVENT, EVENT]);
});

test("a listener that throws, now or later, hinders nobody, and that is said without end", async () => {
  const hub = new EventHub();
  const heard: string[] = [];
  hub.subscribe(() => {
    throw new Error("private");
  });
  hub.subscribe(() => Promise.reject(new Error("private")));
  hub.subscribe(({ kind }) => heard.push(kind));
  hub.subscribe((event) => event.kind === "log" && heard.push(event.message));
  hub.emit(EVENT);
  await new Promise((resolve) => setTimeout(resolve, 10));
  const complaint = 'Cannot tell "catalog-changed" to 1 listener(s): they threw';
  assertEquals(heard, ["catalog-changed", "log", complaint, "log", complaint]);
});

test("a listener that leaves or joins while it is told changes nothing of that telling", () => {
  const hub = new EventHub();
  let heard = 0;
  const leave = hub.subscribe(() => {
    leave();
    hub.subscribe(() => heard += 1);
  });
  hub.emit(EVENT);
  assertEquals(heard, 0);
  hub.emit(EVENT);
  assertEquals(heard, 1);
});
