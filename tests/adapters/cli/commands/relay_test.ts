import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { hasEnded } from "../../../contracts/has_ended.ts";
import { runCli, withFolders } from "../cli_process.ts";
import { commandOf } from "../check/faulty.ts";

const LIMIT = { timeout: 120_000 };
const CONFIG = fileURLToPath(new URL("../../../../deno.json", import.meta.url));
const DENO = [Deno.execPath(), "run", "--quiet", "--allow-all", "--config", CONFIG];
const MAIN = fileURLToPath(new URL("../../../../adapters/cli/main.ts", import.meta.url));
const INITIALIZE = '{"jsonrpc":"2.0", "id":1.0e0,"method":"initialize","params":' +
  '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}\r\n';
const LIST = '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}\n';

test(
  "what a server says comes out as it is, and so what it advertises is advertised, no more and no less",
  LIMIT,
  async () => {
    const answers: string[] = [];
    for (const name of ["correct", "never_advertised", "deprecated_advertised"]) {
      const direct = await pipe(commandOf(name), INITIALIZE + LIST);
      const relayed = await runCli(["relay", "--", ...commandOf(name)], { stdin: INITIALIZE + LIST });
      assertEquals(relayed, { exitCode: 0, stdout: direct, stderr: "" });
      answers.push(direct);
    }
    assertEquals(answers.map((answer) => /"codex\/sandbox-state(-meta)?":\{\}/.exec(answer)?.[0]), [
      '"codex/sandbox-state":{}',
      undefined,
      '"codex/sandbox-state-meta":{}',
    ]);
  },
);

test("a server keeps the whole contract behind a relay, and behind two", LIMIT, async () => {
  const relay = [...DENO, MAIN, "relay", "--"];
  const { exitCode, stdout } = await runCli(["check", "--", ...relay, ...relay, ...DENO, MAIN, "serve"]);
  assertEquals([exitCode, stdout.match(/^failed/gm)], [0, null], stdout);
});

test("behind a remote relay, a server has state and no launcher", LIMIT, async () => {
  const relay = [...DENO, MAIN, "relay", "--remote", "--"];
  const { exitCode, stdout } = await runCli(["check", "--json", "--", ...relay, ...DENO, MAIN, "serve"]);
  const { checks } = JSON.parse(stdout);
  assertEquals(exitCode, 1);
  assertEquals(checks[1].status, "ok");
  assertMatch(checks[2].found, /the call was refused: "LAUNCHER_MISSING/);
});

test("the server's status and diagnostics are the relay's", LIMIT, async () => {
  const run = (script: string): ReturnType<typeof runCli> =>
    runCli(["relay", "--", "sh", "-c", script], { stdin: "" });
  assertEquals(await run("echo oops >&2; echo out; exit 9"), {
    exitCode: 9,
    stdout: "out\n",
    stderr: "oops\n",
  });
  assertEquals((await run("kill -KILL $$")).exitCode, 137);
});

test("megabytes go through standard input and output", LIMIT, async () => {
  const stdin = `${"0123456789abcdef".repeat(250_000)}\n${"é".repeat(500_000)}`;
  const { exitCode, stdout } = await runCli(["relay", "--", "cat"], { stdin });
  assertEquals([exitCode, stdout === stdin], [0, true]);
  const remote = await runCli(["relay", "--remote", "--", "cat"], { stdin });
  assertEquals([remote.exitCode, remote.stdout === stdin], [0, true]);
});

test("a message that cannot be searched ends a remote relay with 3", LIMIT, async () => {
  const stdin = `${LIST}{"codex/sandbox-launcher":\n`;
  const { exitCode, stdout, stderr } = await runCli(["relay", "--remote", "--", "cat"], { stdin });
  assertEquals([exitCode, stdout], [3, LIST]);
  assertMatch(
    stderr,
    /^codex-mcp: Cannot read a JSON text: it is malformed at offset \d+; the relay has ended\.\n$/,
  );
  assertEquals((await runCli(["relay", "--", "cat"], { stdin })).stdout, stdin);
});

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  test(`after ${signal} to the relay, nothing of its server is left`, LIMIT, async () => {
    await withFolders(["place"], async (place = "") => {
      const file = join(place, "pids");
      const script =
        'trap "" TERM HUP; sleep 600 & echo "$$ $!" > "$1.new"; sleep 0.5; mv "$1.new" "$1"; wait; sleep 600';
      const relay = new Deno.Command(DENO[0]!, {
        args: [...DENO.slice(1), MAIN, "relay", "--", "/bin/sh", "-c", script, "sh", file],
        stdin: "piped",
        stdout: "null",
        stderr: "null",
      }).spawn();
      await until(() => existsSync(file));
      const pids = readFileSync(file, "utf8").trim().split(" ").map(Number);
      assert(pids.length === 2 && !pids.some(hasEnded));
      process.kill(relay.pid, signal);
      assertNotEquals((await relay.status).code, 0);
      await until(() => pids.every(hasEnded));
      await relay.stdin.close().catch(() => undefined);
    });
  });
}

test("a relay without a server, or with one that is nowhere, is told what to write", LIMIT, async () => {
  const none = await runCli(["relay"]);
  assertEquals([none.exitCode, none.stdout], [2, ""]);
  assertMatch(none.stderr, /relay needs a server: codex-mcp relay -- SERVER CMD…/);
  assertEquals((await runCli(["relay", "--", "no-such-program-anywhere"])).exitCode, 2);
  const missing = await runCli(["relay", "--", "/nowhere/server"]);
  assertEquals([missing.exitCode, missing.stdout], [5, ""]);
  assertMatch(missing.stderr, /PROGRAM_NOT_FOUND/);
});

async function pipe([executable = "", ...args]: readonly string[], stdin: string): Promise<string> {
  const child = new Deno.Command(executable, { args, stdin: "piped", stdout: "piped" }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
