import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { JoinedWork } from "../../../../../../adapters/mcp/host/enterprise/threads/joined_work.ts";
import { HostError } from "../../../../../../core/errors.ts";

interface Begun {
  readonly joined: JoinedWork<number>;
  readonly signals: AbortSignal[];
  finish(value: number): void;
}

function begin(): Begun {
  const signals: AbortSignal[] = [];
  const gates: ((value: number) => void)[] = [];
  const joined = new JoinedWork<number>((signal) => {
    signals.push(signal);
    return new Promise((resolve) => gates.push(resolve));
  }, "notes");
  return { joined, signals, finish: (value) => gates.shift()?.(value) };
}

async function fails(work: Promise<unknown>, code: string): Promise<void> {
  assertEquals((await assertRejects(() => work, HostError)).code, code);
}

test("all who wait get the one result, and the next one begins anew", async () => {
  const { joined, signals, finish } = begin();
  assertEquals(joined.busy, false);
  const both = Promise.all([joined.join({}), joined.join({})]);
  assertEquals(joined.busy, true);
  finish(1);
  assertEquals([await both, signals.length, joined.busy], [[1, 1], 1, false]);
  const next = joined.join({});
  finish(2);
  assertEquals([await next, signals.length, signals[0]?.aborted], [2, 2, false]);
});

test("whoever gives up leaves it to the others; the last one ends it", async () => {
  const { joined, signals, finish } = begin();
  const first = new AbortController();
  const second = new AbortController();
  const waiting = [joined.join({ signal: first.signal }), joined.join({ signal: second.signal })] as const;
  first.abort();
  await fails(waiting[0], "CALL_CANCELLED");
  assertEquals(signals[0]?.aborted, false);
  second.abort();
  await fails(waiting[1], "CALL_CANCELLED");
  assertEquals([signals[0]?.aborted, joined.busy], [true, false]);
  finish(1);
  await fails(joined.join({ signal: AbortSignal.abort() }), "CALL_CANCELLED");
  assertEquals(signals.length, 1);
});

test("a caller's time ends its waiting", async () => {
  const { joined, finish } = begin();
  const short = joined.join({ timeoutMs: 5 });
  const long = joined.join({ timeoutMs: 60_000 });
  await fails(short, "SERVER_TIMEOUT");
  finish(3);
  assertEquals(await long, 3);
});

test("work that is ended gives its error to all, at once, and leaves a new one alone", async () => {
  const { joined, signals, finish } = begin();
  const error = new HostError("THREAD_CLOSED", "Cannot go on");
  const waiting = [joined.join({}), joined.join({})];
  joined.abort(error);
  const next = joined.join({});
  for (const one of waiting) assertEquals(await assertRejects(() => one), error);
  assertEquals([signals[0]?.aborted, signals[1]?.aborted], [true, false]);
  finish(1); // the one that was ended
  finish(2);
  assertEquals(await next, 2);
});

test("work says what whoever gives up is told", async () => {
  const joined = new JoinedWork<number>((_signal, waitsFor) => {
    waitsFor("first");
    waitsFor("it waits for somebody else");
    return new Promise(() => {});
  }, "notes");
  const error = await assertRejects(() => joined.join({ timeoutMs: 5 }), HostError);
  assertEquals(error.message, 'Cannot connect to the server "notes": it waits for somebody else');
});
