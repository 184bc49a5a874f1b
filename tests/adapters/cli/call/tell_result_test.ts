import { assert, assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { Stage } from "../host/stage.ts";

const TERMINAL = "/usr/bin/script";
const limit = { timeout: 120_000, skip: !existsSync(TERMINAL) || Deno.build.os !== "linux" };

/** Runs the command line in a terminal, and gives back what that shows. */
async function inTerminal(stage: Stage, words: readonly string[]): Promise<string> {
  const line = stage.words(words).map((word) => `'${word}'`).join(" ");
  const { stdout } = await new Deno.Command(TERMINAL, {
    args: ["--quiet", "--return", "--command", line, "/dev/null"],
    cwd: stage.workspace,
    clearEnv: true,
    env: { ...stage.environment, TERM: "xterm" },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

test("on a terminal nothing of a server moves the cursor, and progress is shown", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(stage.server("files"));
  const lines = await inTerminal(stage, ["call", "files", "lines"]);
  assert(lines.endsWith("one\r\ntwo\ufffd[2J\r\n"), JSON.stringify(lines));
  const progress = await inTerminal(stage, ["call", "files", "progress"]);
  assert(progress.includes("Calling progress 50 % (2/4) step\ufffd[2J"), JSON.stringify(progress));
  assert(progress.endsWith("\r\u001b[Kdone\r\n"), JSON.stringify(progress));
  const failed = await inTerminal(stage, ["call", "files", "fail"]);
  assertEquals(failed.split("\u001b[K").at(-1), "it broke\ufffd[2J\r\n");
});

test("elsewhere no progress is asked for", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(stage.server("files"));
  assertEquals((await stage.run(["call", "files", "progress"])).stdout, "nobody asks for progress\n");
});
