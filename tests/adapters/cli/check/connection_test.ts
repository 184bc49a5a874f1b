import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { test } from "node:test";
import { Connection, NoAnswer } from "../../../../adapters/cli/check/connection.ts";
import { createProcesses } from "../../../../adapters/deno/mod.ts";
import { ProcessGuard } from "../../../../adapters/sandbox/guard.ts";
import { hasEnded } from "../../../contracts/has_ended.ts";
import { LIMIT } from "./faulty.ts";

test("what is asked goes out as the text that it is, and the answer to it comes back", LIMIT, async () => {
  // answers with what it got, as a string, behind noise and a notification
  const script = `while IFS= read -r line; do
    printf 'noise\\n{"jsonrpc":"2.0","method":"notifications/x"}\\n{"jsonrpc":"2.0","id":77,"result":1}\\n'
    printf '{"jsonrpc":"2.0","id":1,"result":"%s"}\\n' "$(printf %s "$line" | /usr/bin/base64 | /usr/bin/tr -d "\\n")"
  done`;
  await withServer(script, async (connection) => {
    const reply = await connection.request("m", '{"n": 1e400,"n":-0}');
    const sent = atob(String(reply.result));
    assertEquals(sent, '{"jsonrpc":"2.0","id":1,"method":"m","params":{"n": 1e400,"n":-0}}');
  });
});

test("errors are answers, and requests of the server are answered", LIMIT, async () => {
  const script = `read -r line
    printf '{"jsonrpc":"2.0","id":"p","method":"ping"}\\n{"jsonrpc":"2.0","id":2,"method":"roots/list"}\\n'
    read -r one; read -r two
    case "$one$two" in *'"id":"p","result":{}'*'"id":2,"error"'*) say='{"jsonrpc":"2.0","id":1,"error":{"code":5}}' ;; esac
    printf '%s\\n' "$say"`;
  await withServer(script, async (connection) => {
    assertEquals(await connection.request("m", "{}"), { error: { code: 5 } });
  });
});

test("a server that ends, or does not answer, is told apart, with its last words", LIMIT, async () => {
  await withServer("echo first >&2; echo 'last words' >&2; exit 1", async (connection) => {
    const error = await assertRejects(() => connection.request("m", "{}"), NoAnswer);
    assertMatch(error.message, /the server ended without an answer to m; it said "last words"/);
  });
  await withServer("read -r x; sleep 600", async (connection) => {
    const error = await assertRejects(() => connection.request("m", "{}"), NoAnswer);
    assertMatch(error.message, /no answer to m within 0\.5 s/);
  }, 500);
});

test("closing ends the server's whole group, whatever that does about it", LIMIT, async () => {
  const script =
    `trap '' TERM; sleep 600 & read -r x; printf '{"id":1,"result":[%s,%s]}\\n' $$ $!; wait; sleep 600`;
  let pids: readonly number[] = [];
  await withServer(script, async (connection) => {
    pids = (await connection.request("m", "{}")).result as readonly number[];
    assert(!pids.some(hasEnded));
  });
  assertEquals(pids.length, 2);
  assert(pids.every(hasEnded));
});

async function withServer(
  script: string,
  body: (connection: Connection) => Promise<void>,
  timeoutMs = 20_000,
): Promise<void> {
  const processes = createProcesses();
  const guard = new ProcessGuard(processes);
  const environment = { PATH: "/usr/bin:/bin" };
  const server = { executable: "/bin/sh", args: ["-c", script] };
  const connection = await Connection.open(server, { processes, guard, environment, timeoutMs });
  try {
    await body(connection);
  } finally {
    await connection.close();
    await guard.close();
  }
}
