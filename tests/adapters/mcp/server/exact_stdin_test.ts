import { assert, assertEquals, assertRejects } from "@std/assert";
import { StdioServerTransport as StdioV1 } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StdioServerTransport as StdioV2 } from "@modelcontextprotocol/server/stdio";
import { Buffer } from "node:buffer";
import { PassThrough, Readable, Writable } from "node:stream";
import { test } from "node:test";
import { exactStdin, type ExactStdinOptions } from "../../../../adapters/mcp/server/exact_stdin.ts";

const STATE = '{"n":9007199254740993,"e":1e400}';

function call(id: number, state = STATE, more = ""): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"_meta":{"codex/sandbox-state":${state}${more}}}}\n`;
}

const TWICE = call(9, "1", ',"codex/sandbox-state":2');

/** Collects what is written. */
function sink(): { readonly stdout: Writable; readonly text: () => string } {
  let text = "";
  return {
    stdout: new Writable({
      write: (chunk, _encoding, done) => {
        text += String(chunk);
        done();
      },
    }),
    text: () => text,
  };
}

async function readAll(stdin: AsyncIterable<unknown>): Promise<string[]> {
  const messages: string[] = [];
  for await (const message of stdin) {
    assert(Buffer.isBuffer(message));
    messages.push(message.toString());
  }
  return messages;
}

for (const [name, Transport] of [["v1", StdioV1], ["v2", StdioV2]] as const) {
  test(`SDK ${name}: its transport reads the stream, and the texts are there when a message is`, async () => {
    const source = new PassThrough();
    const { stdout, text } = sink();
    const { stdin, sourceTexts } = exactStdin({ stdin: source, stdout });
    const transport = new Transport(stdin, stdout);
    const got: unknown[] = [];
    let closed = false;
    const ended = new Promise<void>((resolve) => {
      stdin.once("end", resolve);
    });
    transport.onmessage = (message: object) => {
      const id = Reflect.get(message, "id");
      if (typeof id === "number") got.push([id, sourceTexts(id).stateText]);
    };
    transport.onclose = () => closed = true;
    await transport.start();
    const bytes = Buffer.from(call(1) + TWICE + call(2, "-0") + '"no message"\n{"broken"\n' + call(3, "1.0"));
    for (let at = 0; at < bytes.length; at += 5) source.write(bytes.subarray(at, at + 5));
    source.end();
    await ended;
    await transport.close();
    assertEquals([got, closed], [[[1, STATE], [2, "-0"], [3, "1.0"]], true]);
    const reply = JSON.parse(text());
    assertEquals([reply.id, reply.error.code], [9, -32600]);
  });
}

test("each chunk is one message, also for a reader that is slow", async () => {
  const source = new PassThrough();
  const { stdin } = exactStdin({ stdin: source });
  const lines = Array.from({ length: 500 }, (_, id) => call(id));
  source.end(lines.join(""));
  assertEquals(await readAll(stdin), lines);
});

test("a reader that does not read holds up the source", async () => {
  let given = 0;
  const line = Buffer.from(call(1, `"${"x".repeat(10_000)}"`));
  const source = new Readable({
    read() {
      given++;
      this.push(given > 1_000 ? null : line);
    },
  });
  const { stdin } = exactStdin({ stdin: source });
  await new Promise((resolve) => stdin.once("readable", resolve));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert(given < 50, `${given} messages were taken`);
  assertEquals((await readAll(stdin)).length, 1_000);
});

test("nothing is read before somebody reads, and pausing pauses the source", async () => {
  const source = new PassThrough();
  const { stdin } = exactStdin({ stdin: source });
  assertEquals([source.listenerCount("data"), source.readableFlowing], [0, null]);
  const first = new Promise((resolve) => stdin.once("data", resolve));
  source.write(call(1));
  await first;
  stdin.pause();
  assertEquals(source.isPaused(), true);
  const second = new Promise((resolve) => stdin.once("data", resolve));
  stdin.resume();
  source.write(call(2));
  assertEquals(String(await second), call(2));
});

test("a last message without a line end is read at the end", async () => {
  const { stdin, sourceTexts } = exactStdin({ stdin: Readable.from([Buffer.from(call(1).trim())]) });
  assertEquals(await readAll(stdin), [call(1).trim()]);
  assertEquals(sourceTexts(1).stateText, STATE);
});

test("an error or the end of the source, and a message that is too long, end the stream", async () => {
  const read = (stdin: Readable, options: ExactStdinOptions = {}): Promise<string[]> =>
    readAll(exactStdin({ stdin, ...options }).stdin);
  const broken = new PassThrough();
  const failing = assertRejects(() => read(broken), Error, "EIO");
  broken.destroy(new Error("EIO"));
  await failing;
  const gone = new PassThrough();
  const ending = assertRejects(() => read(gone));
  gone.destroy();
  await ending;
  const long = Readable.from([Buffer.from(call(1))]);
  await assertRejects(() => read(long, { maxMessageBytes: 20 }), RangeError);
});

test("refusals are told of", async () => {
  const { stdout } = sink();
  const refusals: string[] = [];
  const { stdin } = exactStdin({
    stdin: Readable.from([Buffer.from(TWICE)]),
    stdout,
    onrefusal: ({ code }) => refusals.push(code),
  });
  assertEquals([await readAll(stdin), refusals], [[], ["STATE_CONFLICT"]]);
});
