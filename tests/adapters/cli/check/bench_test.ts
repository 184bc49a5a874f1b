import { assertEquals, assertRejects } from "@std/assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../../../../adapters/cli/check/bench.ts";
import { NoAnswer } from "../../../../adapters/cli/check/connection.ts";
import { vectorFlaw } from "../../../../adapters/cli/check/vector.ts";
import { LIMIT, planFor, withBench } from "./faulty.ts";

test("a call's outcome holds what it started, and the next one's does not", LIMIT, async () => {
  await withBench("correct", async (bench) => {
    const first = await bench.call(bench.full(bench.states.usual));
    assertEquals([first.refused, first.marked, first.said], [false, false, '"exit 0"']);
    assertEquals(first.launches.map(({ by }) => by), ["command", "launcher"]);
    assertEquals(vectorFlaw(first.launches.find(({ by }) => by === "launcher")!.args), undefined);
    const second = await bench.call({});
    assertEquals([second.refused, second.launches, second.said], [true, [], '"REFUSED: no state"']);
  });
});

test(
  "a command that runs by itself is noticed by its stand-in, or by the marker it makes",
  LIMIT,
  async () => {
    const fallback = async (bench: Bench): Promise<unknown> => {
      const { usual } = bench.states;
      const { launches, marked } = await bench.call({ state: usual, alias: usual });
      return [launches.map(({ by }) => by), marked];
    };
    assertEquals(await withBench("unsandboxed_fallback", fallback), [["command"], false]);
    const argumentsText = '{"command":["/bin/sh","-c",": > \\"$1\\"","sh","{marker}"]}';
    const plan = { call: { tool: "exec", argumentsText } };
    assertEquals(await withBench("unsandboxed_fallback", fallback, { plan }), [[], true]);
    assertEquals(await withBench("correct", fallback, { plan }), [[], false]);
  },
);

test("closing tells what was started behind the answer, and removes everything", LIMIT, async () => {
  const bench = await Bench.open(planFor("late_start"), { era: "2025-11-25" });
  const { usual } = bench.states;
  assertEquals((await bench.call({ state: usual, alias: usual })).launches, []);
  assertEquals((await bench.close()).map(({ by }) => by), ["launcher"]);
  assertEquals(existsSync(bench.recorder.folder), false);
});

test("launcher and workspace lie apart, and both exist", LIMIT, async () => {
  await withBench("correct", (bench) => {
    const { folder } = bench.recorder;
    assertEquals(bench.launcher, join(folder, "bin/codex"));
    assertEquals(JSON.parse(bench.states.usual).sandboxCwd, `file://${folder}/workspace`);
    assertEquals(existsSync(join(folder, "workspace")), true);
    return Promise.resolve();
  });
});

test("a server of the other era is opened in it, and one without it is not", LIMIT, async () => {
  await withBench("correct", async (bench) => {
    assertEquals(bench.opened.era, "2026-07-28");
    assertEquals((await bench.call(bench.full(bench.states.usual))).launches.length, 2);
  }, { era: "2026-07-28" });
  await assertRejects(() => Bench.open(planFor("stringify"), { era: "2026-07-28" }), NoAnswer);
});
