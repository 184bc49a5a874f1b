import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createServerConnection } from "../../../../../adapters/mcp/host/connect/create_connection.ts";
import type { OpenConnection } from "../../../../../adapters/mcp/host/connect/server_connection.ts";
import { HostError } from "../../../../../core/errors.ts";
import type { ClockPort } from "../../../../../core/ports/clock.ts";
import { hostOptions, legacyServer, scriptEntry, withConnection } from "./bench.ts";

const limit = { timeout: 120_000 };

/** A clock that is moved by waiting, and by hand; pauses are noted. */
class FakeClock implements ClockPort {
  seconds = 1_000;
  readonly pauses: number[] = [];

  now(): number {
    return this.seconds;
  }

  async sleep(seconds: number, signal?: AbortSignal): Promise<boolean> {
    await Promise.resolve();
    if (signal?.aborted) return false;
    this.pauses.push(seconds);
    this.seconds += seconds;
    return true;
  }
}

test("each failure doubles the pause before the next attempt, and health takes it back", limit, async () => {
  const clock = new FakeClock();
  let broken = true;
  const working = scriptEntry(legacyServer({ onCall: "exit 9" }), { protocol: "legacy" });
  const processes = hostOptions().processes;
  const options = {
    clock,
    random: () => 1,
    processes: {
      spawn: (...[request, given]: Parameters<typeof processes.spawn>) =>
        processes.spawn(broken ? { ...request, args: ["-c", "exit 3"] } : request, given),
    },
  };
  await withConnection(working, {
    options,
    work: async ({ connection }) => {
      for (let times = 3; times > 0; times -= 1) {
        await assertRejects(() => connection.open(), HostError, "status 3");
      }
      assertEquals(clock.pauses, [0.25, 0.5]);
      const state = connection.state();
      assert(state.kind === "waiting" && state.until === clock.seconds + 1);
      clock.seconds += 1;
      assertEquals(connection.state(), { kind: "failed", reason: state.reason });
      broken = false;
      const { client } = await connection.open();
      assertEquals(clock.pauses, [0.25, 0.5]);
      clock.seconds += 29;
      await assertRejects(() => client.callTool({ name: "echo" }));
      const sick = connection.state();
      assert(sick.kind === "waiting" && sick.until === clock.seconds + 2, JSON.stringify(sick));
      const again = await connection.open();
      clock.seconds += 30;
      await assertRejects(() => again.client.callTool({ name: "echo" }));
      const healthy = connection.state();
      assert(healthy.kind === "waiting" && healthy.until === clock.seconds + 0.25, JSON.stringify(healthy));
    },
  });
});

test(
  "who would have to wait longer than the server may take to start is refused at once",
  limit,
  async () => {
    const clock = new FakeClock();
    const entry = scriptEntry("exit 3", { protocol: "legacy", startupTimeoutMs: 1_500 });
    await withConnection(entry, {
      options: { clock, random: () => 1 },
      work: async ({ connection, states }) => {
        for (let times = 4; times > 0; times -= 1) {
          await assertRejects(() => connection.open(), HostError, "status 3");
        }
        const attempts = (): number => states.filter(({ kind }) => kind === "connecting").length;
        assertEquals([attempts(), clock.pauses], [4, [0.25, 0.5, 1]]);
        const error = await assertRejects(() => connection.open(), HostError, "tried again in a moment");
        assertEquals([error.code, error.server, attempts()], ["SERVER_UNAVAILABLE", "notes", 4]);
      },
    });
  },
);

test("a clock that is set back does not lock a server out", limit, async () => {
  const clock = new FakeClock();
  await withConnection(scriptEntry("exit 3", { protocol: "legacy" }), {
    options: { clock },
    work: async ({ connection }) => {
      await assertRejects(() => connection.open(), HostError);
      clock.seconds -= 500;
      const opening = assertRejects(() => connection.open(), HostError, "status 3");
      await new Promise((resolve) => setTimeout(resolve, 0));
      assertEquals(clock.pauses, [30]);
      clock.seconds += 600;
      await opening;
    },
  });
});

test("a caller that gives up leaves the attempt to the others", limit, async () => {
  await withConnection(scriptEntry(legacyServer({ before: "sleep 0.5" })), {
    work: async ({ connection, states }) => {
      const controller = new AbortController();
      const mine = assertRejects(() => connection.open(controller.signal), Error, "enough");
      const theirs = connection.open();
      controller.abort(new Error("enough"));
      await mine;
      await assertRejects(() => connection.open(AbortSignal.abort(new Error("before"))), Error, "before");
      assertEquals([(await theirs).number, states.length], [1, 2]);
    },
  });
});

test("a caller that gives up in a pause starts nothing", limit, async () => {
  const entry = scriptEntry("exit 3", { protocol: "legacy" });
  await withConnection(entry, {
    options: { random: () => 1 },
    work: async ({ connection, states }) => {
      for (let times = 3; times > 0; times -= 1) await assertRejects(() => connection.open(), HostError);
      const controller = new AbortController();
      const waiting = assertRejects(() => connection.open(controller.signal), Error, "enough");
      controller.abort(new Error("enough"));
      await waiting;
      assertEquals(states.filter(({ kind }) => kind === "connecting").length, 3);
    },
  });
});

test("closing ends those who wait in a pause", limit, async () => {
  const connection = createServerConnection(scriptEntry("exit 3", { protocol: "legacy" }), hostOptions());
  for (let times = 3; times > 0; times -= 1) await assertRejects(() => connection.open(), HostError);
  const waiting = assertRejects(() => connection.open(), HostError, "the connection was closed");
  await connection.close();
  await waiting;
});

test("a listener may ask for the connection, and one that throws is noted", limit, async () => {
  const notes: string[] = [];
  const opened: Promise<OpenConnection>[] = [];
  await withConnection(scriptEntry(legacyServer()), {
    options: { onNote: (note) => notes.push(note) },
    work: async ({ connection, states }) => {
      const stop = connection.onChange(() => {
        opened.push(connection.open());
        throw new Error("its own");
      });
      const open = await connection.open();
      stop();
      for (const one of await Promise.all(opened)) assertEquals(one, open);
      assertEquals([states.length, opened.length, open.number], [2, 2, 1]);
    },
  });
  assertEquals(notes.filter((note) => note === 'A listener of the server "notes" failed.').length, 2);
});

test("a connection that nobody needed is closed without a start", limit, async () => {
  const connection = createServerConnection(scriptEntry("exit 3"), hostOptions());
  await connection.close();
  assertEquals([connection.state(), connection.stderrTail()], [{ kind: "closed" }, ""]);
});
