/**
 * How `codex-mcp exec` and `serve` end what they started in the real sandbox, and without one.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { SANDBOX_MODES } from "../../../core/sandbox/presets.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { createPlace } from "../../fixtures/codex_host/place.ts";
import { LIMIT } from "../codex/turns.ts";
import { processesWith, readUntil, runCommandLine, startCommandLine, untilGone } from "../command_line.ts";
import { openSession } from "../session.ts";

/** A word that no other process has among its arguments. */
function uniqueWord(): string {
  return `codex-mcp-${crypto.randomUUID()}`;
}

/** Says so when it runs, does not listen to any signal that can be ignored, and does not end by itself. */
function stubborn(word: string): readonly string[] {
  const script = "trap '' TERM INT HUP; echo running; while :; do sleep 0.2 || sleep 1; done";
  return ["/bin/sh", "-c", script, word];
}

for (const policy of SANDBOX_MODES) {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    test(`${signal} to exec ends the command under ${policy}`, LIMIT, async () => {
      await using place = await createPlace();
      const word = uniqueWord();
      const words = ["exec", "--codex", await realCodex(), "--policy", policy, "--", ...stubborn(word)];
      const child = startCommandLine(place, words);
      await readUntil(child.stdout, "running");
      assert((await processesWith(word)).length > 1);
      child.kill(signal);
      const { code } = await child.status;
      assertEquals(code, 125);
      await untilGone(word);
      assertStringIncludes(await new Response(child.stderr).text(), signal);
    });
  }

  test(`SIGKILL to exec ends the command under ${policy}`, LIMIT, async () => {
    await using place = await createPlace();
    const word = uniqueWord();
    const words = ["exec", "--codex", await realCodex(), "--policy", policy, "--", ...stubborn(word)];
    const child = startCommandLine(place, words);
    await readUntil(child.stdout, "running");
    child.kill("SIGKILL");
    await child.status;
    await untilGone(word);
    await child.stderr.cancel();
  });

  test(`SIGKILL to serve leaves no command under ${policy}`, LIMIT, async () => {
    await using place = await createPlace();
    const word = uniqueWord();
    await using session = await openSession(place);
    const call = session.call({ command: stubborn(word) }, await session.meta(policy));
    const ended = call.then(() => "answered", () => "gone");
    while ((await processesWith(word)).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    await session.ping(); // between its start and the word to the watchdog a command has no guard
    session.kill("SIGKILL");
    assertEquals(await ended, "gone");
    await untilGone(word);
  });
}

test("a reader that hangs up ends the command", LIMIT, async () => {
  await using place = await createPlace();
  const word = uniqueWord();
  const script = "trap '' TERM PIPE; while :; do echo line 2> /dev/null; done";
  const words = ["exec", "--codex", await realCodex(), "--", "/bin/sh", "-c", script, word];
  const child = startCommandLine(place, words);
  await readUntil(child.stdout, "line"); // and then reads no more
  const { code } = await child.status;
  assertEquals(code, 125);
  await untilGone(word);
  const said = await new Response(child.stderr).text();
  assertStringIncludes(said, "output cannot be written");
  assertEquals(said.trim().split("\n").length, 1, said);
});

test("--timeout ends the command", LIMIT, async () => {
  await using place = await createPlace();
  const word = uniqueWord();
  const words = ["exec", "--codex", await realCodex(), "--timeout", "0.5", "--", ...stubborn(word)];
  const { code, stdout, stderr } = await runCommandLine(place, words);
  assertEquals([code, stdout], [125, "running\n"]);
  assertStringIncludes(stderr, "--timeout");
  await untilGone(word);
});

test("--json tells a command that ran out of time", LIMIT, async () => {
  await using place = await createPlace();
  const words = ["exec", "--codex", await realCodex(), "--json", "--timeout", "0.5", "--"];
  const { code, stdout } = await runCommandLine(place, [...words, ...stubborn(uniqueWord())]);
  assertEquals(code, 125);
  assertEquals(JSON.parse(stdout).timedOut, true);
});

test("a command that leaves something running in the sandbox does not keep exec waiting", LIMIT, async () => {
  await using place = await createPlace();
  const word = uniqueWord();
  const script = '/bin/sh -c "$1" "$2" & echo started';
  const words = ["exec", "--codex", await realCodex(), "--", "/bin/sh", "-c", script, "sh"];
  const { code, stdout } = await runCommandLine(place, [...words, "while :; do sleep 1; done", word]);
  assertEquals([code, stdout], [0, "started\n"]);
  await untilGone(word);
});
