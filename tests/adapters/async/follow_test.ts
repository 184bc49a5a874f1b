import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { follow } from "../../../adapters/async/follow.ts";

test("a follower is aborted with any of its signals, for the same reason", () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const { controller } = follow(one.signal, other.signal);
  assertEquals(controller.signal.aborted, false);
  other.abort("why");
  assertEquals(controller.signal.reason, "why");
  assertEquals(one.signal.aborted, false);
  assertEquals(follow(AbortSignal.abort("early")).controller.signal.reason, "early");
});

test("a follower that has stopped is left alone", () => {
  const one = new AbortController();
  const { controller, stop } = follow(one.signal);
  stop();
  one.abort();
  assertEquals(controller.signal.aborted, false);
});
