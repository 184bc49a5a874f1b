import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { endGroup, within } from "../../../adapters/sandbox/end_group.ts";
import type { ChildProcess } from "../../../core/ports/process.ts";

const options = { graceMs: 30, reapMs: 30 };

test("a group that is gone gets nothing more", async () => {
  const { child, signals } = fakeGroup({ ends: "already" });
  await endGroup(child, options);
  assertEquals(signals, []);
});

test("a group that ends on TERM is not waited for", { timeout: 60_000 }, async () => {
  const { child, signals } = fakeGroup({ ends: "SIGTERM" });
  await endGroup(child, { graceMs: 3_600_000, reapMs: 3_600_000 });
  assertEquals(signals, ["SIGTERM"]);
});

test("a group that ignores TERM gets KILL", { timeout: 60_000 }, async () => {
  const { child, signals } = fakeGroup({ ends: "SIGKILL" });
  await endGroup(child, { graceMs: 30, reapMs: 3_600_000 });
  assertEquals(signals, ["SIGTERM", "SIGKILL"]);
});

test("a group that nothing ends is let go of", { timeout: 60_000 }, async () => {
  const { child, signals } = fakeGroup({ ends: "never" });
  await endGroup(child, options);
  assertEquals(signals, ["SIGTERM", "SIGKILL"]);
});

test("KILL comes although nothing seems to be left, as long as the group takes it", async () => {
  const { child, signals } = fakeGroup({ ends: "never" });
  await endGroup({ ...child, alive: () => false }, options);
  assertEquals(signals, ["SIGTERM", "SIGKILL"]);
});

test("within gives the value, or undefined when it takes too long", { timeout: 60_000 }, async () => {
  assertEquals(await within(Promise.resolve(7), Number.MAX_SAFE_INTEGER), 7);
  assertEquals(await within(new Promise<number>(() => {}), 5), undefined);
});

/** A child without a process, whose group ends as told. Returns the signals that reached it. */
function fakeGroup(
  { ends }: { readonly ends: "already" | "SIGTERM" | "SIGKILL" | "never" },
): { readonly child: ChildProcess; readonly signals: readonly string[] } {
  const signals: string[] = [];
  let alive = ends !== "already";
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  const child: ChildProcess = {
    pid: 7,
    stdout: nothing(),
    stderr: nothing(),
    exited: new Promise(() => {}),
    write: () => Promise.resolve(false),
    closeStdin: () => Promise.resolve(),
    kill: (signal) => {
      if (!alive) return false;
      signals.push(signal);
      if (signal === ends) alive = false;
      return true;
    },
    alive: () => alive,
    unref: () => {},
    release: () => {},
  };
  return { child, signals };
}
