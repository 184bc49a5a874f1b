import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { RedisLeaseStore } from "../../../adapters/redis/redis_lease_store.ts";

const { signal } = new AbortController();

/** A client that answers as a test says, and what it was sent. */
function createClient(answer: unknown) {
  const sent: (readonly string[])[] = [];
  const sendCommand = (command: readonly string[]): Promise<unknown> => {
    sent.push(command);
    return Promise.resolve(answer);
  };
  return { sent, client: { sendCommand } };
}

test("a text is read, and nothing is null", async () => {
  const { client, sent } = createClient("text");
  assertEquals(await new RedisLeaseStore({ client }).read("one", signal), "text");
  assertEquals(await new RedisLeaseStore(createClient("")).read("one", signal), null);
  assertEquals(sent, [["GETRANGE", "codex-mcp:lease:one", "0", "262143"]]);
});

test("that a value is of another type is about its key, any other error about Redis", async () => {
  const wrong = [
    "WRONGTYPE Operation against a key holding the wrong kind of value",
    "ERR Error running script (call to f_1): @user_script:2: WRONGTYPE Operation against a key",
  ];
  const failing = (message: string): RedisLeaseStore =>
    new RedisLeaseStore({ client: { sendCommand: () => Promise.reject(new Error(message)) } });
  const changes = [
    { expected: null, next: "a", seconds: 1 },
    { expected: "a", next: "b", seconds: 1 },
    { expected: "a", next: null },
  ] as const;
  for (const message of wrong) {
    assertEquals(await failing(message).read("one", signal), "?");
    for (const change of changes) assertEquals(await failing(message).change("one", change, signal), false);
  }
  for (const message of ["OOM command not allowed", "NOAUTH Authentication required.", "gone"]) {
    await assertRejects(() => failing(message).read("one", signal), Error, message);
    for (const change of changes) await assertRejects(() => failing(message).change("one", change, signal));
  }
});

test("an answer that is no text is refused", async () => {
  for (const answer of [1, null, undefined, ["a"], new Uint8Array(1), {}]) {
    await assertRejects(() => new RedisLeaseStore(createClient(answer)).read("one", signal), TypeError);
  }
});

test("nothing is replaced with one command, a text with one script, each with its time", async () => {
  const { client, sent } = createClient("OK");
  const store = new RedisLeaseStore({ client, prefix: "p:" });
  assertEquals(await store.change("one", { expected: null, next: "a", seconds: 1.5 }, signal), true);
  assertEquals(sent, [["SET", "p:one", "a", "PX", "1500", "NX"]]);
  await store.change("one", { expected: "a", next: "b", seconds: 0 }, signal);
  assertEquals([sent[1]?.[0], ...sent[1]?.slice(2) ?? []], ["EVAL", "1", "p:one", "a", "b", "1"]);
  await store.change("one", { expected: "b", next: null }, signal);
  assertEquals([sent[2]?.[0], ...sent[2]?.slice(2) ?? []], ["EVAL", "1", "p:one", "b"]);
});

test("only the answer that says so is a change", async () => {
  const changes = [
    { expected: null, next: "a", seconds: 1 },
    { expected: "a", next: "b", seconds: 1 },
    { expected: "a", next: null },
  ] as const;
  const answers = ["OK", 1, 1] as const;
  for (const [index, change] of changes.entries()) {
    const right = new RedisLeaseStore(createClient(answers[index]));
    assertEquals(await right.change("one", change, signal), true);
    for (const answer of [null, 0, "QUEUED", undefined, "1"]) {
      assertEquals(await new RedisLeaseStore(createClient(answer)).change("one", change, signal), false);
    }
  }
});

test("whoever gives up waits no longer", async () => {
  const client = { sendCommand: () => new Promise<unknown>(() => undefined) };
  const controller = new AbortController();
  const reading = new RedisLeaseStore({ client }).read("one", controller.signal);
  controller.abort(new RangeError("gave up"));
  await assertRejects(() => reading, RangeError);
});
