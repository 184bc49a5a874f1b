import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { test } from "node:test";
import {
  ConnectionGate,
  ConnectionGates,
} from "../../../../../../adapters/mcp/host/enterprise/connection/connection_gates.ts";
import { deferred } from "../../deferred.ts";

const URL_ = "https://mcp.example/mcp";
const ERROR = new Error("The account changed");
const POST = { method: "POST", body: "{}" };

/** A gate whose requests leave through a gates that answers as `answer` does. */
function open(answer: (request: Request) => Response | Promise<Response>) {
  const gates = new ConnectionGates(async (input, init) => await answer(new Request(input, init)));
  const failures: unknown[] = [];
  let lost = 0;
  const gate = new ConnectionGate({
    onFailed: (error) => void failures.push(error),
    onSessionLost: () => void (lost += 1),
  });
  const release = gates.open(gate);
  return {
    gate,
    gates,
    release,
    failures,
    lost: () => lost,
    send: gate.around((url, init) => gates.send(url, init)),
  };
}

test("a request goes through as it is, without what names its connection", async () => {
  const seen: Request[] = [];
  const { send, gate } = open((request) => {
    seen.push(request);
    return new Response("answer");
  });
  const exact = gate.exact('{"n":9007199254740993}');
  const body = JSON.stringify({ a: exact });
  const response = await send(URL_, { method: "POST", body, headers: { "x-a": "b" } });
  assertEquals(await response.text(), "answer");
  const [sent] = seen;
  assertEquals([sent?.method, await sent?.text()], ["POST", '{"a":{"n":9007199254740993}}']);
  assertEquals([...sent?.headers.keys() ?? []].filter((name) => name.startsWith("x-")), ["x-a"]);
});

test("once it is shut nothing is sent, not even a request that is sent again", async () => {
  const { gate, gates } = open(() => new Response("answer"));
  let sent = 0;
  const send = gate.around(async (url, init) => {
    while (sent < 5) {
      await gates.send(url, init);
      sent += 1;
      gate.close(ERROR); // the server asks for another bearer, and meanwhile the account changes
    }
    return new Response("answer");
  });
  assertEquals(await assertRejects(() => send(URL_, POST)), ERROR);
  assertEquals(sent, 1);
  assertEquals(await assertRejects(() => send(URL_, POST)), ERROR);
  assertEquals(await assertRejects(() => gate.during(() => Promise.resolve(1))), ERROR);
  assertThrows(() => gate.check());
  gate.close(new Error("another"));
  assertEquals([sent, gate.shut.aborted, gate.shut.reason], [1, true, ERROR]);
});

test("streams end at once, and a plain call may return", async () => {
  const signals: AbortSignal[] = [];
  const gate = deferred<void>();
  const host = open(async (request) => {
    signals.push(request.signal);
    if (request.method === "POST" && !(await request.text()).includes("subscriptions/")) await gate.promise;
    return new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }));
  });
  const plain = host.send(URL_, POST);
  await host.send(URL_, { method: "GET" });
  await host.send(URL_, { method: "POST", body: '{"method":"subscriptions/listen"}' });
  host.gate.close(ERROR);
  assertEquals(signals.map(({ aborted }) => aborted), [false, true, true]);
  let drained = false;
  const draining = host.gate.drained().then((waited) => {
    drained = true;
    return waited;
  });
  gate.resolve();
  const response = await plain;
  assertEquals(drained, false);
  await response.body?.cancel();
  assertEquals(await draining, true);
  assertEquals(await open(() => new Response()).gate.drained(), false);
});

test("resumptions are counted, a lost session is told, and a failure too", async () => {
  let status = 200;
  const host = open(() => {
    if (status === 0) throw ERROR;
    return new Response(null, { status });
  });
  const get = { method: "GET", headers: { "last-event-id": "1", "mcp-session-id": "s" } };
  await host.send(URL_, get);
  await host.send(URL_, { method: "GET" });
  assertEquals([host.gate.resumptions, host.lost()], [1, 0]);
  status = 404;
  await host.send(URL_, get);
  await host.send(URL_, POST);
  assertEquals([host.gate.resumptions, host.lost(), host.failures.length], [1, 1, 0]);
  status = 0;
  await assertRejects(() => host.send(URL_, POST));
  assertEquals(host.failures, [ERROR]);
});

test("a caller that aborts ends its own request alone", async () => {
  const signals: AbortSignal[] = [];
  const host = open((request) => {
    signals.push(request.signal);
    return new Response("answer");
  });
  const caller = new AbortController();
  await host.send(URL_, { ...POST, signal: caller.signal });
  await host.send(URL_, POST);
  caller.abort();
  assertEquals(signals.map(({ aborted }) => aborted), [true, false]);
});

test("what belongs to no open connection is not sent", async () => {
  const host = open(() => new Response("answer"));
  await assertRejects(() => host.gates.send(URL_, POST), Error, "its connection is gone");
  host.release();
  await assertRejects(() => host.send(URL_, POST), Error, "its connection is gone");
  assert(!host.gate.shut.aborted);
});

test("work during a call is told when it begins and when it is over, however that is", async () => {
  const told: boolean[] = [];
  const gate = new ConnectionGate({ onWork: (begins) => void told.push(begins) });
  assertEquals(await gate.during(() => Promise.resolve(told.length)), 1);
  await assertRejects(() => gate.during(() => Promise.reject(new Error("no"))));
  assertEquals(told, [true, false, true, false]);
});
