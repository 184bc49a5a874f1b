import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { test } from "node:test";
import { type StdioHostOptions, StdioHostTransport } from "../../../../adapters/mcp/wire/stdio_transport.ts";
import { ProcessGuard } from "../../../../adapters/sandbox/guard.ts";
import { hasEnded } from "../../../contracts/has_ended.ts";
import { refusedCode } from "../../../contracts/refused.ts";
import { RUNTIMES } from "../../../contracts/runtimes.ts";

const limit = { timeout: 60_000 };
const environment = { PATH: "/usr/bin:/bin" };

/** A host whose server is a shell script, and what it was told. */
interface Bench {
  readonly transport: StdioHostTransport;
  readonly messages: readonly JSONRPCMessage[];
  readonly errors: readonly string[];
  /** How often the connection was said to be gone. */
  readonly closed: () => number;
  /** Resolves when so many messages and errors have come. */
  readonly told: (count: number) => Promise<void>;
  /** Resolves when the connection is gone. */
  readonly gone: Promise<void>;
}

for (const { name, processes } of RUNTIMES) {
  const open = (script: string, options: Partial<StdioHostOptions> = {}): Bench => {
    const transport = new StdioHostTransport({ executable: "/bin/sh", args: ["-c", script] }, {
      processes,
      environment,
      ...options,
    });
    const [messages, errors]: [JSONRPCMessage[], string[]] = [[], []];
    const waiting: (() => void)[] = [];
    let closed = 0;
    const tell = (): void => waiting.forEach((wake) => wake());
    transport.onmessage = (message) => {
      messages.push(message);
      tell();
    };
    transport.onerror = (error) => {
      errors.push(error.message);
      tell();
    };
    const gone = new Promise<void>((resolve) => {
      transport.onclose = () => {
        closed++;
        resolve();
      };
    });
    const told = (count: number): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (messages.length + errors.length >= count) resolve();
        };
        waiting.push(look);
        look();
      });
    return { transport, messages, errors, closed: () => closed, told, gone };
  };

  test(`${name}: messages go out as lines and come back, split or not`, limit, async () => {
    const script = `read -r line; printf '%s' "$line" | cut -c1-9 | tr -d '\\n'; sleep 0.1
      printf '%s\\r\\n\\n' "$line" | cut -c10-; printf '{"jsonrpc":"2.0","method":"a"}\\n{"jsonrpc":"2.0","method":"b"}\\n'; cat >&2`;
    const { transport, messages, errors, told, closed } = open(script);
    await transport.start();
    const message: JSONRPCMessage = { jsonrpc: "2.0", id: 1, method: "echo", params: { text: "é😀\n\\" } };
    await transport.send(message);
    await told(3);
    assertEquals(messages, [message, { jsonrpc: "2.0", method: "a" }, { jsonrpc: "2.0", method: "b" }]);
    await transport.close();
    await transport.close();
    assertEquals([errors, closed()], [[], 1]);
  });

  test(`${name}: an exact text reaches the server's bytes`, limit, async () => {
    const script = `read -r line; printf '{"jsonrpc":"2.0","method":"got","params":{"line":"'; ` +
      `printf '%s' "$line" | od -An -v -tx1 | tr -d ' \\n'; printf '"}}\\n'; cat >&2`;
    const { transport, messages, told } = open(script);
    await transport.start();
    const text = '{ "n" : 9007199254740993, "$&":1e400, "é":-0 }';
    await transport.send({ jsonrpc: "2.0", method: "m", params: { state: transport.exact(text) } });
    await told(1);
    const hex = String(paramsOf(messages[0])["line"]);
    const sent = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    const line = `{"jsonrpc":"2.0","method":"m","params":{"state":${text}}}`;
    assertEquals(new TextDecoder().decode(sent), line);
    assertThrows(() => transport.exact("{"), SyntaxError);
    await transport.close();
  });

  test(`${name}: lines that are not JSON are told, and what follows them is read`, limit, async () => {
    const script = `echo 'Welcome!'; echo '{"jsonrpc":'; echo '{"jsonrpc":"2.0","method":"on"}'; cat >&2`;
    const { transport, messages, errors, told } = open(script);
    await transport.start();
    await told(3);
    assertEquals(messages, [{ jsonrpc: "2.0", method: "on" }]);
    assertEquals(errors.length, 2);
    for (const error of errors) assertMatch(error, /not JSON/);
    assertEquals(errors.filter((error) => error.includes("Welcome")), []);
    await transport.close();
  });

  test(
    `${name}: a message that is too long, or no UTF-8, ends the connection and the server`,
    limit,
    async () => {
      for (const flood of ["head -c 5000 /dev/zero | tr '\\0' x", "printf '\\377\\n'"]) {
        const script =
          `echo '{"jsonrpc":"2.0","method":"pid","params":{"pid":'$$'}}'; read -r line; ${flood}; cat >&2`;
        const { transport, messages, errors, told, gone, closed } = open(script, { maxMessageBytes: 1_000 });
        await transport.start();
        await told(1);
        await transport.send({ jsonrpc: "2.0", method: "go" });
        await gone;
        assertEquals([messages.length, errors.length, closed()], [1, 1, 1]);
        await assertRejects(() => transport.send({ jsonrpc: "2.0", method: "x" }), Error, "no longer reads");
        assert(hasEnded(pidIn(messages[0])));
      }
    },
  );

  test(`${name}: a server that ends closes the connection`, limit, async () => {
    const { transport, gone, closed, errors } = open("exit 3");
    await transport.start();
    await gone;
    await assertRejects(() => transport.send({ jsonrpc: "2.0", method: "x" }), Error, "Cannot send");
    await transport.close();
    assertEquals([closed(), errors], [1, []]);
  });

  test(`${name}: close asks by the end of input first`, limit, async () => {
    const script = `trap 'echo "{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"term\\"}"; exit' TERM
      cat >&2; echo '{"jsonrpc":"2.0","method":"bye"}'`;
    const { transport, messages } = open(script);
    await transport.start();
    await transport.close();
    assertEquals(messages, [{ jsonrpc: "2.0", method: "bye" }]);
  });

  test(`${name}: close ends a server and a grandchild that ignore it and TERM`, limit, async () => {
    const say = `echo '{"jsonrpc":"2.0","method":"pid","params":{"pid":'$$'}}'`;
    const script = `trap '' TERM; sh -c '${say.replaceAll("'", `'"'"'`)}; while :; do sleep 1; done' &
      ${say}; while :; do sleep 1; done`;
    const guard = new ProcessGuard(processes);
    const { transport, messages, told, closed } = open(script, { guard });
    await transport.start();
    await told(2);
    assertEquals(messages.map(pidIn).map(hasEnded), [false, false]);
    await Promise.all([transport.close(), transport.close()]);
    assertEquals(messages.map(pidIn).map(hasEnded), [true, true]);
    assertEquals(closed(), 1);
    await guard.close();
  });

  test(`${name}: diagnostics of any length hold nothing up, and are no message`, limit, async () => {
    const script = `head -c 3000000 /dev/zero >&2; echo '{"jsonrpc":"2.0","method":"done"}'; cat >&2`;
    const { transport, messages, errors, told } = open(script);
    await transport.start();
    await told(1);
    assertEquals([messages.length, errors.length], [1, 0]);
    await transport.close();
  });

  test(`${name}: diagnostics go to whoever wants them`, limit, async () => {
    const chunks: Uint8Array[] = [];
    const { transport, gone } = open("printf one >&2; printf two >&2", {
      onDiagnostics: (chunk) => chunks.push(chunk.slice()),
    });
    await transport.start();
    await gone;
    assertEquals(chunks.map((chunk) => new TextDecoder().decode(chunk)).join(""), "onetwo");
  });

  test(`${name}: how it ended, and by whom, is known`, limit, async () => {
    for (
      const [script, exit] of [
        ["exit 3", { exitCode: 3, signal: null }],
        ["kill -9 $$", { exitCode: null, signal: "SIGKILL" }],
      ] as const
    ) {
      const { transport, gone } = open(script);
      assertEquals([transport.pid, transport.stderr, transport.exit, transport.ended], [
        null,
        null,
        null,
        false,
      ]);
      await transport.start();
      assert(Number(transport.pid) > 1);
      await gone;
      assertEquals([transport.exit, transport.ended], [exit, true]);
    }
    const { transport } = open("cat >&2; exit 4");
    await transport.start();
    await transport.close();
    assertEquals([transport.exit?.exitCode, transport.ended], [4, false]);
  });

  test(
    `${name}: a server that ends is gone, though a child of its holds its output open`,
    limit,
    async () => {
      const script =
        `sh -c 'echo "{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"pid\\",\\"params\\":{\\"pid\\":$$}}"; exec sleep 600' &
      read -r line; exit 5`;
      const { transport, messages, told, gone } = open(script);
      await transport.start();
      await told(1);
      await transport.send({ jsonrpc: "2.0", method: "end" });
      await gone;
      assertEquals([hasEnded(pidIn(messages[0])), transport.ended], [true, true]);
    },
  );

  test(`${name}: closed ahead of its start or in the middle of it, nothing is left`, limit, async () => {
    const before = open("sleep 600");
    await before.transport.close();
    await assertRejects(() => before.transport.start(), Error, "the connection is closed");
    assertEquals(before.transport.pid, null);
    const { transport, closed } = open("sleep 600");
    const starting = transport.start().catch(() => undefined);
    await transport.close();
    await starting;
    assert(transport.pid === null || hasEnded(transport.pid));
    assertEquals(closed(), 1);
  });

  test(`${name}: a server that cannot be guarded is ended`, limit, async () => {
    const guard = new ProcessGuard(processes);
    guard.watch = () => Promise.reject(new Error("no guard"));
    const { transport } = open("sleep 600", { guard, closeMs: 200 });
    await assertRejects(() => transport.start(), Error, "no guard");
    assert(hasEnded(Number(transport.pid)));
    await transport.close();
    await guard.close();
  });

  test(`${name}: environment and directory are the given ones`, limit, async () => {
    const script = `echo '{"jsonrpc":"2.0","method":"'$ONLY$HOME:$(pwd -P)'"}'; cat >&2`;
    const { transport, messages, told } = open(script, {
      environment: { ...environment, ONLY: "x" },
      directory: "/",
    });
    await transport.start();
    await told(1);
    assertEquals(messages, [{ jsonrpc: "2.0", method: "x:/" }]);
    await transport.close();
  });

  test(`${name}: a server that cannot be started is the port's error`, limit, async () => {
    const request = { executable: "/missing/server", args: [] };
    const transport = new StdioHostTransport(request, { processes, environment });
    assertEquals(await refusedCode(() => transport.start()), "PROGRAM_NOT_FOUND");
    await assertRejects(() => transport.send({ jsonrpc: "2.0", method: "x" }), Error, "Cannot send");
    await transport.close();
  });
}

/** The process that a message names. */
function pidIn(message: JSONRPCMessage | undefined): number {
  return Number(paramsOf(message)["pid"]);
}

function paramsOf(message: JSONRPCMessage | undefined): Readonly<Record<string, unknown>> {
  assert(message !== undefined && "params" in message && message.params !== undefined);
  return message.params;
}
