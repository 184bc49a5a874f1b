import { assert, assertEquals, assertRejects } from "@std/assert";
import { mkdtemp, readFile, realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { relayStdio } from "../../../../adapters/mcp/relay/relay.ts";
import { JsonError, ProcessError } from "../../../../core/errors.ts";
import { hasEnded } from "../../../contracts/has_ended.ts";
import { RUNTIMES } from "../../../contracts/runtimes.ts";
import { removeFolder } from "../../../fixtures/remove_folder.ts";

const LIMIT = { timeout: 60_000 };
const environment = { PATH: "/usr/bin:/bin" };
const ODD = bytesOf('{"a" :1.0}\r\n\n[1e400,\t-0]\n"\\u0041\u00e9\u{1f600}"\0 \ufeff', [
  0xff,
  0xc0,
  0x80,
  0x0a,
], "no end");
const CALL = '{"method":"tools/call","params":{"_meta":{"codex/sandbox-state":{"n":9007199254740993}';

for (const { name, processes } of RUNTIMES) {
  const options = { processes, environment, closeMs: 300 };

  test(`${name}: every byte goes through and comes back as it is, however it is cut`, LIMIT, async () => {
    for (const size of [1, 3, 65_536]) {
      const host = hostOf(chunksOf(ODD, size));
      assertEquals(await relayStdio({ executable: "/bin/cat", args: [] }, { ...options, ...host }), {
        exitCode: 0,
        signal: null,
      });
      assertEquals(host.received(), ODD);
    }
  });

  test(`${name}: megabytes go through, and no write overtakes another`, LIMIT, async () => {
    const much = new Uint8Array(8 << 20).map((_, i) => i * 31 + (i >> 8));
    const host = hostOf(chunksOf(much, 100_000));
    let writing = 0;
    let most = 0;
    await relayStdio({ executable: "/bin/cat", args: [] }, {
      ...options,
      input: host.input,
      output: async (bytes) => {
        most = Math.max(most, ++writing);
        await Promise.resolve();
        writing--;
        return await host.output(bytes);
      },
    });
    assertEquals(most, 1);
    assert(sameBytes(host.received(), much));
  });

  test(`${name}: a server that does not read holds the host up`, LIMIT, async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; taken < 1_000; taken++) yield new Uint8Array(65_536);
    }
    const { output } = hostOf([]);
    const exit = await relayStdio(shell("sleep 1; exit 3"), { ...options, input: endless(), output });
    assertEquals(exit.exitCode, 3);
    assert(taken < 100, `${taken} chunks were taken`);
  });

  test(`${name}: a host that does not read holds the server up`, LIMIT, async () => {
    await withFolder(async (folder) => {
      const written = join(folder, "written");
      let early = false;
      let first = true;
      let total = 0;
      const exit = await relayStdio(shell('head -c 16777216 /dev/zero; : > "$1"', written), {
        ...options,
        input: openInput(),
        output: async (bytes) => {
          total += bytes.length;
          if (!first) return true;
          first = false;
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          early = await stat(written).then(() => true, () => false);
          return true;
        },
      });
      assertEquals({ early, total, exitCode: exit.exitCode }, {
        early: false,
        total: 16_777_216,
        exitCode: 0,
      });
    });
  });

  test(`${name}: the server's end is the relay's, with its status or signal`, LIMIT, async () => {
    const { output } = hostOf([]);
    const run = (script: string): Promise<unknown> =>
      relayStdio(shell(script), { ...options, input: openInput(), output });
    assertEquals(await run("exit 7"), { exitCode: 7, signal: null });
    assertEquals(await run("kill -9 $$"), { exitCode: null, signal: "SIGKILL" });
  });

  test(`${name}: what the server writes in its end still arrives`, LIMIT, async () => {
    const host = hostOf([bytesOf("x")]);
    await relayStdio(shell("cat; head -c 300000 /dev/zero"), { ...options, ...host });
    assertEquals(host.received().length, 300_001);
  });

  for (
    const [why, how] of [
      ["the host's input ends", { input: [] }],
      ["the host no longer reads", { taken: false }],
      ["the relay is told to end", { abort: true }],
      ["the server closes its output", { script: "exec >&-;" }],
    ] as const
  ) {
    test(`${name}: ${why}: the server's whole group is ended`, LIMIT, async () => {
      await withFolder(async (folder) => {
        const stop = new AbortController();
        const script = `trap "" TERM; sleep 600 >/dev/null & echo "$$ $!" > "$1/pids"; echo up; ${
          "script" in how ? how.script : ""
        } wait; sleep 600`;
        let up: () => void = () => undefined;
        const isUp = new Promise<void>((resolve) => up = resolve);
        async function* input(): AsyncGenerator<Uint8Array> {
          if (!("input" in how)) return yield* openInput();
          await isUp;
        }
        const exit = await relayStdio(shell(script, folder), {
          ...options,
          signal: stop.signal,
          input: input(),
          output: () => {
            up();
            if ("abort" in how) stop.abort();
            return Promise.resolve(!("taken" in how));
          },
        });
        assertEquals(exit, { exitCode: null, signal: "SIGKILL" });
        const pids = (await readFile(join(folder, "pids"), "utf8")).trim().split(" ").map(Number);
        assertEquals(pids.length, 2);
        assert(pids.every(hasEnded));
      });
    });
  }

  test(
    `${name}: for a remote server the launcher alone is cut, at whatever byte chunks end`,
    LIMIT,
    async () => {
      const sent = bytesOf(
        `${CALL} ,"codex/sandbox-launcher":{"codexExecutable":"/opt/codex"} ,"\u00e9":1.0}}}\r\n\nnot JSON\n`,
        `[${CALL},"codex\\/sandbox-launcher":1}}}]`,
      );
      const left = bytesOf(`${CALL} , "\u00e9":1.0}}}\r\n\nnot JSON\n`, `[${CALL}}}}]`);
      for (const size of [1, 7, 65_536]) {
        const host = hostOf(chunksOf(sent, size));
        await relayStdio({ executable: "/bin/cat", args: [] }, { ...options, ...host, remote: true });
        assertEquals(text(host.received()), text(left));
        const open = hostOf(chunksOf(sent, size));
        await relayStdio({ executable: "/bin/cat", args: [] }, { ...options, ...open });
        assertEquals(text(open.received()), text(sent));
      }
    },
  );

  test(
    `${name}: what a remote server might read otherwise ends the relay and is not passed on`,
    LIMIT,
    async () => {
      const host = hostOf([bytesOf("first\n"), bytesOf(`${CALL},"codex/sandbox-launcher":1}}\nlast\n`)]);
      const error = await assertRejects(
        () => relayStdio({ executable: "/bin/cat", args: [] }, { ...options, ...host, remote: true }),
        JsonError,
      );
      assertEquals(error.code, "JSON_MALFORMED");
      assertEquals(text(host.received()), "first\n");
      const long = hostOf([bytesOf("12345\n")]);
      await assertRejects(
        () =>
          relayStdio({ executable: "/bin/cat", args: [] }, {
            ...options,
            ...long,
            remote: true,
            maxMessageBytes: 5,
          }),
        RangeError,
      );
      assertEquals(long.received().length, 0);
    },
  );

  test(`${name}: a server that cannot be started is told as the port tells it`, LIMIT, async () => {
    const error = await assertRejects(
      () => relayStdio({ executable: "/nowhere/server", args: [] }, { ...options, ...hostOf([]) }),
      ProcessError,
    );
    assertEquals(error.code, "PROGRAM_NOT_FOUND");
  });
}

interface Host {
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: (bytes: Uint8Array) => Promise<boolean>;
  received(): Uint8Array;
}

/** A host that sends these chunks, and takes everything. */
function hostOf(chunks: readonly Uint8Array[]): Host {
  const parts: Uint8Array[] = [];
  return {
    input: (async function* () {
      yield* chunks;
    })(),
    output: (bytes) => {
      parts.push(bytes.slice());
      return Promise.resolve(true);
    },
    received: () => {
      const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
  };
}

/** A host's input that stays open. */
async function* openInput(): AsyncGenerator<Uint8Array> {
  await new Promise(() => undefined);
  yield new Uint8Array();
}

function shell(script: string, ...args: readonly string[]): { executable: string; args: string[] } {
  return { executable: "/bin/sh", args: ["-c", script, "sh", ...args] };
}

function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return new Uint8Array(
    parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part),
  );
}

function chunksOf(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, i) => bytes.slice(i * size, (i + 1) * size),
  );
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "codex-mcp-relay-")));
  try {
    await body(folder);
  } finally {
    await removeFolder(folder);
  }
}
