import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { ServerConnection } from "../../../../../adapters/mcp/host/connect/server_connection.ts";
import { HostError } from "../../../../../core/errors.ts";
import { legacyServer, lineOf, scriptEntry, stdioEntry, withConnection } from "./bench.ts";

const limit = { timeout: 120_000 };

/** What a server wrote to standard error, which comes by another way than its answers, so sometimes after them. */
async function writtenUpTo(end: string, connection: ServerConnection): Promise<string> {
  const deadline = Date.now() + 10_000;
  while (!connection.stderrTail().endsWith(end) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return connection.stderrTail();
}

test("a server of 2025 is connected to once, for all who need it", limit, async () => {
  await withConnection(scriptEntry(legacyServer({ before: 'echo "started" >&2' })), {
    work: async ({ connection, states }) => {
      assertEquals(connection.state(), { kind: "idle" });
      const [one, two] = await Promise.all([connection.open(), connection.open()]);
      assertEquals([one === two, one.number, one.era, one.protocol], [true, 1, "legacy", "2025-06-18"]);
      assertEquals([one.transport, one.closed.aborted, one.resumptions()], ["stdio", false, 0]);
      assertEquals(one.capabilities, { tools: { listChanged: true } });
      assertEquals(states.map(({ kind }) => kind), ["connecting", "ready"]);
      assertEquals(await writtenUpTo("started\n", connection), "started\n");
    },
  });
});

test("an exact text goes out as it is, in each message that carries it", limit, async () => {
  await withConnection(scriptEntry(legacyServer()), {
    work: async ({ connection }) => {
      const { client, exact } = await connection.open();
      const text = '{"n":9007199254740993,"e":1e400}';
      const state = exact(text);
      for (let times = 2; times > 0; times -= 1) {
        const result = await client.callTool({ name: "echo", arguments: {}, _meta: { state } });
        assertMatch(lineOf(result), /"_meta":\{"state":\{"n":9007199254740993,"e":1e400\}/);
      }
    },
  });
});

for (
  const [what, onDiscover] of [["ends on", "exit 7"], ["never answers, nor anything after", "cat >/dev/null"]]
) {
  test(`a server that ${what} a request before its handshake is started again without`, limit, async () => {
    const script = legacyServer({ before: 'echo "started" >&2', onDiscover: onDiscover! });
    await withConnection(scriptEntry(script, { startupTimeoutMs: 12_000 }), {
      work: async ({ connection, states }) => {
        const { era, number } = await connection.open();
        assertEquals([era, number], ["legacy", 1]);
        assertEquals(states.map(({ kind }) => kind), ["connecting", "ready"]);
        assertEquals(await writtenUpTo("started\nstarted\n", connection), "started\nstarted\n");
      },
    });
  });
}

test(
  "a server that is only silent about the request gets its handshake in the same process",
  limit,
  async () => {
    const script = legacyServer({ before: 'echo "started" >&2', onDiscover: ":" });
    await withConnection(scriptEntry(script, { startupTimeoutMs: 8_000 }), {
      work: async ({ connection }) => {
        assertEquals((await connection.open()).era, "legacy");
        assertEquals(await writtenUpTo("started\n", connection), "started\n");
      },
    });
  },
);

test("what was found out about a server's era is remembered for its next life", limit, async () => {
  const script = legacyServer({ before: 'echo "started" >&2', onDiscover: "exit 7", onCall: "exit 9" });
  await withConnection(scriptEntry(script), {
    work: async ({ connection }) => {
      const first = await connection.open();
      await assertRejects(() => first.client.callTool({ name: "echo" }));
      const second = await connection.open();
      assertEquals([second.number, second.era], [2, "legacy"]);
      assertEquals(await writtenUpTo("started\n".repeat(3), connection), "started\n".repeat(3));
    },
  });
});

test(
  "a server that ends at its start is unavailable, with its status, and left alone for a while",
  limit,
  async () => {
    const script = 'echo "secret of its own" >&2; exit 3';
    await withConnection(scriptEntry(script), {
      work: async ({ connection, states }) => {
        const error = await assertRejects(() => connection.open(), HostError);
        assertEquals([error.code, error.server], ["SERVER_UNAVAILABLE", "notes"]);
        assertEquals(
          error.message,
          'Cannot connect to the server "notes": it ended with status 3 before it was ready',
        );
        const state = states.at(-1);
        assert(state?.kind === "waiting");
        assertEquals([state.reason.reason, state.reason.message], ["ended", error.message]);
        assert(!JSON.stringify(states).includes("secret"));
        assert((await writtenUpTo("secret of its own\n", connection)).includes("secret of its own\n"));
        await assertRejects(() => connection.open(), HostError, "status 3");
        assertEquals(states.filter(({ kind }) => kind === "connecting").length, 2);
      },
    });
  },
);

test("a server that hangs at its start is too late, at its time and not much after", limit, async () => {
  await withConnection(scriptEntry("trap '' TERM; while :; do sleep 1; done", { startupTimeoutMs: 2_000 }), {
    work: async ({ connection }) => {
      const since = performance.now();
      const error = await assertRejects(() => connection.open(), HostError);
      assertEquals(error.code, "SERVER_TIMEOUT");
      assertEquals(
        error.message,
        'Cannot connect to the server "notes": it was not ready within 2 s (startup_timeout_sec)',
      );
      const took = performance.now() - since;
      assert(took >= 1_900 && took < 30_000, String(took));
    },
  });
});

test("a flood of diagnostics holds nothing up, and its end is kept", limit, async () => {
  const before = "head -c 3000000 /dev/zero | tr '\\0' x >&2; printf '\\nlast\\033[2J\\n' >&2";
  await withConnection(scriptEntry(legacyServer({ before })), {
    work: async ({ connection }) => {
      await connection.open();
      assertEquals(await writtenUpTo("last\\u001b[2J\n", connection), "last\\u001b[2J\n");
    },
  });
});

test("a server that ends in a call ends the call and the life; the next one is another", limit, async () => {
  await withConnection(scriptEntry(legacyServer({ onCall: "exit 9" })), {
    work: async ({ connection, states }) => {
      const first = await connection.open();
      await assertRejects(() => first.client.callTool({ name: "echo" }));
      const reason: unknown = first.closed.reason;
      assert(reason instanceof HostError);
      assertEquals([reason.code, reason.message], [
        "CONNECTION_LOST",
        'Cannot use the server "notes": it ended with status 9',
      ]);
      assertEquals(states.at(-1)?.kind, "waiting");
      const second = await connection.open();
      assertEquals([second.number, second.closed.aborted], [2, false]);
    },
  });
});

test(
  "a program that does not exist, or is in no folder of PATH, is named and not waited for",
  limit,
  async () => {
    for (
      const [command, text] of [["no-such-program", "is not on PATH"], [
        "/no/such",
        "its program does not exist",
      ]]
    ) {
      await withConnection(stdioEntry({ command: command! }), {
        work: async ({ connection }) => {
          const error = await assertRejects(() => connection.open(), HostError, text);
          assertEquals(error.code, "SERVER_UNAVAILABLE");
          const state = connection.state();
          assert(state.kind === "failed" && state.reason.reason === "program");
        },
      });
    }
    await withConnection(scriptEntry(":", { cwd: "/no/such/folder" }), {
      work: async ({ connection }) => {
        await assertRejects(() => connection.open(), HostError, "working directory does not exist");
      },
    });
  },
);

test("a changed list of tools is told of", limit, async () => {
  const notification = `printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\\n'`;
  const answer = `printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}\\n' "$id"`;
  await withConnection(scriptEntry(legacyServer({ onCall: `${notification}; ${answer}` })), {
    work: async ({ connection }) => {
      const told = new Promise<void>((resolve) => connection.onCatalogChanged(resolve));
      await (await connection.open()).client.callTool({ name: "echo" });
      await told;
    },
  });
});
