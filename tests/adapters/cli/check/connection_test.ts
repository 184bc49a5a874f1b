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
    assertMatch(error.message, /the server ended without an answer to m; it said "first \| last words"/);
  });
  const node =
    "node:internal/errors:540\n    throw error;\n    ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'\n" +
    "    at finalizeResolution (a:1:2) {\n  code: 'ERR_MODULE_NOT_FOUND'\n}\n\nNode.js v20.20.2\n";
  await withServer(`printf %s "${node}" >&2; exit 1`, async (connection) => {
    const error = await assertRejects(() => connection.request("m", "{}"), NoAnswer);
    assertMatch(error.message, /; it said "Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package 'x'"$/);
  });
  await withServer("read -r x; sleep 600", async (connection) => {
    const error = await assertRejects(() => connection.request("m", "{}"), NoAnswer);
    assertMatch(error.message, /no answer to m within 0\.5 s/);
  }, 500);
});

test("junk and strays are read to a bound, whatever the time that an answer may take", LIMIT, async () => {
  const floods: readonly (readonly [string, RegExp])[] = [
    ["exec yes", /floods its standard output with what is no message, such as "y"/],
    ["exec yes '{not json'", /no message, such as "\{not json"/],
    ["exec yes '[1]'", /no message, such as "\[1\]"/],
    [`exec yes '{"method":"notifications/x"}'`, /without end that answer nothing, such as .*notifications/],
    [`exec yes '{"id":77,"result":1}'`, /without end that answer nothing/],
    ["exec cat /dev/zero", /standard output cannot be read: Cannot take a message of more than/],
    ["printf '\\377\\n'; exec sleep 600", /standard output cannot be read: /],
  ];
  for (const [script, message] of floods) {
    await withServer(script, async (connection) => {
      assertMatch((await assertRejects(() => connection.request("m", "{}"), NoAnswer)).message, message);
    }, 100_000);
  }
});

test("a server that talks beside its answers is understood", LIMIT, async () => {
  const script =
    `i=0; while [ $i -lt 900 ]; do echo "log $i"; echo '{"method":"notifications/x"}'; i=$((i + 1)); done
    read -r line; printf ' \t{"jsonrpc":"2.0","id":1,"result":5}\n'; read -r line`;
  await withServer(script, async (connection) => {
    assertEquals(await connection.request("m", "{}"), { result: 5 });
  });
});

test("a flood of diagnostics does not hide that there is no answer", LIMIT, async () => {
  await withServer("exec 3>&1; exec yes lament >&2", async (connection) => {
    const error = await assertRejects(() => connection.request("m", "{}"), NoAnswer);
    assertMatch(error.message, /no answer to m within 0\.5 s; it said "lament/);
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
