import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { ServerSlot } from "../../../../../adapters/mcp/host/servers/server_slot.ts";
import { deferred } from "../deferred.ts";
import { stdioEntry } from "../thread_rig.ts";

test("it is closed when nothing is done with it any more, whether that went well or not", async () => {
  let closed = 0;
  const connection = { close: () => Promise.resolve(void (closed += 1)) } as never;
  const slot = new ServerSlot(stdioEntry("s"), { key: "k", connection });
  const one = deferred<string>();
  const two = deferred<string>();
  const uses = [slot.use(() => one.promise), slot.use(() => two.promise)];
  const retired = slot.retire();
  one.resolve("done");
  assertEquals([await uses[0], closed], ["done", 0]);
  two.reject(new Error("failed"));
  await assertRejects(() => uses[1]!, Error, "failed");
  await retired;
  assertEquals(closed, 1);
});

test("one that nobody uses is closed at once; one without a connection has nothing to close", async () => {
  await new ServerSlot(stdioEntry("s"), { key: "k", connection: null }).retire();
});

test("opening is a use: it is not closed meanwhile", async () => {
  const opening = deferred<never>();
  const did: string[] = [];
  const connection = {
    open: () => opening.promise,
    close: () => Promise.resolve(void did.push("closed")),
  } as never;
  const slot = new ServerSlot(stdioEntry("s"), { key: "k", connection });
  const opened = slot.open(new AbortController().signal).catch(() => did.push("opened"));
  const retired = slot.retire();
  await new Promise((resolve) => setTimeout(resolve, 10));
  assertEquals(did, []);
  opening.reject(new Error("no"));
  await Promise.all([opened, retired]);
  assertEquals(did.toSorted(), ["closed", "opened"]);
  await new ServerSlot(stdioEntry("s"), { key: "k", connection: null }).open(new AbortController().signal);
});
