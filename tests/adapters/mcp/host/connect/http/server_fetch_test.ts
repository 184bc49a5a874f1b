import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createEdgeRuntime } from "../../../../../../adapters/http/transport/sending.ts";
import { ExactTexts } from "../../../../../../adapters/mcp/wire/exact_text.ts";
import { RefusedRequestError } from "../../../../../../adapters/mcp/host/connect/http/refused_request.ts";
import {
  createServerFetch,
  REQUEST_MARK,
  type ServerFetchOptions,
  UnreachableError,
} from "../../../../../../adapters/mcp/host/connect/http/server_fetch.ts";

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

function bench(
  answer: () => Response | Promise<Response>,
  options: Partial<Pick<ServerFetchOptions, "credentials" | "runtime">> = {},
) {
  const texts = new ExactTexts();
  const sent: Sent[] = [];
  const told = { resumed: 0, lost: 0 };
  const whole: string[] = [];
  const fetch = createServerFetch({
    server: "notes",
    credentials: false,
    runtime: createEdgeRuntime(),
    onWhole: (mark) => void whole.push(mark),
    ...options,
    origin: "https://notes.test",
    texts,
    send: async (url, init = {}) => {
      sent.push({ url: String(url), init });
      return await answer();
    },
    maxMessageBytes: 100,
    onResumed: () => told.resumed++,
    onSessionLost: () => told.lost++,
  });
  return { texts, sent, told, whole, fetch };
}

test("exact texts go out in place, no redirect is followed by the runtime, the body may be sent again", async () => {
  const { texts, sent, fetch } = bench(() => new Response("ok"));
  const body = JSON.stringify({ state: texts.placeholder("1e400") });
  for (let times = 2; times > 0; times -= 1) {
    await fetch("https://notes.test/mcp", {
      method: "POST",
      body,
      redirect: "follow",
      headers: { "x-a": "1" },
    });
  }
  assertEquals(sent.map(({ init }) => [init.method, init.body, init.redirect]), [
    ["POST", '{"state":1e400}', "manual"],
    ["POST", '{"state":1e400}', "manual"],
  ]);
  assertEquals(new Headers(sent[0]!.init.headers).get("x-a"), "1");
});

test("nothing goes to another origin", async () => {
  const { sent, fetch } = bench(() => new Response("ok"));
  for (
    const url of [
      "http://notes.test/",
      "https://notes.test:8443/",
      "https://other.test/",
      "https://notes.test.evil/",
    ]
  ) {
    await assertRejects(() => fetch(url), Error, "another origin");
  }
  assertEquals(sent, []);
});

test("an error of the network is told without what it quotes; an abort stays one", async () => {
  const secret = Object.assign(new TypeError("https://notes.test/?key=secret"), {
    cause: Object.assign(new Error("secret"), { code: "ENOTFOUND" }),
  });
  const { fetch } = bench(() => Promise.reject(secret));
  const error = await assertRejects(() => fetch("https://notes.test/"), UnreachableError);
  assertEquals([error.code, error.cause], ["ENOTFOUND", undefined]);
  assert(!`${error.stack}`.includes("secret"));
  const aborted = assertRejects(
    () => fetch("https://notes.test/", { signal: AbortSignal.abort() }),
    TypeError,
  );
  assertEquals(await aborted, secret);
});

test("streams that are taken up again and sessions that are gone are told", async () => {
  const answers = [
    new Response("", { status: 200 }),
    new Response("", { status: 500 }),
    new Response("", { status: 404 }),
  ];
  const { told, fetch } = bench(() => answers.shift()!);
  for (let times = 2; times > 0; times -= 1) {
    await fetch("https://notes.test/", { headers: { "last-event-id": "1" } });
  }
  assertEquals(told, { resumed: 1, lost: 0 });
  await fetch("https://notes.test/", { headers: { "mcp-session-id": "1" } });
  assertEquals(told, { resumed: 1, lost: 1 });
  const { told: other, fetch: without } = bench(() => new Response("", { status: 404 }));
  await without("https://notes.test/");
  assertEquals(other.lost, 0);
});

test("a session is gone as well when an old server says so with 400, and the answer can still be read", async () => {
  const error = (code: number): string => JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code } });
  const headers = { "content-type": "application/json; charset=utf-8" };
  const cases = [
    [new Response(error(-32_000), { status: 400, headers }), 1],
    [new Response(error(-32_602), { status: 400, headers }), 0],
    [new Response(error(-32_000), { status: 400 }), 0],
    [new Response(error(-32_000), { status: 403, headers }), 0],
    [new Response(error(-32_000), { headers }), 0],
    [new Response("[", { status: 400, headers }), 0],
    [new Response("null", { status: 400, headers }), 0],
    [new Response(null, { status: 400, headers }), 0],
    [new Response("x".repeat(101), { status: 400, headers }), 0],
  ] as const;
  for (const [response, lost] of cases) {
    const text = await response.clone().text();
    const { told, fetch } = bench(() => response);
    const answer = await fetch("https://notes.test/", { headers: { "mcp-session-id": "1" } });
    assertEquals([told.lost, answer.status], [lost, response.status], text);
    if (text.length <= 100) assertEquals(await answer.text(), text);
  }
  const { told, fetch } = bench(() => new Response(error(-32_000), { status: 400, headers }));
  await fetch("https://notes.test/");
  assertEquals(told.lost, 0);
});

test("an answer is bounded", async () => {
  const { fetch } = bench(() => new Response("x".repeat(101)));
  await assertRejects(async () => await (await fetch("https://notes.test/")).text(), Error, "100 bytes");
});

test("an answer that sends elsewhere is refused", async () => {
  for (const status of [300, 301, 302, 303, 304, 307, 308, 399]) {
    for (const location of ["/other", "https://other.test/", null]) {
      const headers: HeadersInit = location === null ? {} : { location };
      const { fetch } = bench(() => new Response(null, { status, headers }));
      const error = await assertRejects(() => fetch("https://notes.test/"), RefusedRequestError);
      assertEquals([error.refusal.reason, error.refusal.status], ["redirect", status]);
      assert(!error.message.includes("other"), error.message);
    }
  }
});

test("the runtime is asked before each request that may hold a credential or a state", async () => {
  const asked: string[] = [];
  let off: string | null = null;
  const runtime = {
    ...createEdgeRuntime(),
    certificateSwitch: (hostname: string) => {
      asked.push(hostname);
      return Promise.resolve(off);
    },
  };
  const { fetch, sent } = bench(() => new Response("ok"), { credentials: true, runtime });
  await fetch("https://notes.test/", { method: "GET" });
  await fetch("https://notes.test/", { method: "DELETE" });
  assertEquals([asked, sent.length], [["notes.test", "notes.test"], 2]);
  off = "THE_SWITCH";
  await assertRejects(() => fetch("https://notes.test/"), RefusedRequestError, "THE_SWITCH");
  assertEquals(sent.length, 2);

  const { fetch: bare, sent: of, texts } = bench(() => new Response("ok"), { runtime });
  await bare("https://notes.test/", { method: "POST", body: '{"a":1}' });
  assertEquals([asked.length, of.length], [3, 1]);
  const body = JSON.stringify({ state: texts.placeholder("{}") });
  const stateful = (): Promise<Response> => bare("https://notes.test/", { method: "POST", body });
  await assertRejects(stateful, RefusedRequestError, "THE_SWITCH");
  assertEquals(of.length, 1);
});

test("what is no stream is told by its mark, which is not sent", async () => {
  const answers = [
    new Response("{}", { headers: { "content-type": "application/json" } }),
    new Response("", { headers: { "content-type": "text/event-stream; charset=utf-8" } }),
    new Response("", { status: 202, headers: { "content-type": "text/event-stream" } }),
    new Response(null, { status: 204 }),
  ];
  const { fetch, sent, whole } = bench(() => answers.shift()!);
  for (const mark of ["1", "2", "3", "4"]) {
    await fetch("https://notes.test/", { headers: { [REQUEST_MARK]: mark } });
  }
  assertEquals(whole, ["1", "3", "4"]);
  assert(sent.every(({ init }) => !new Headers(init.headers).has(REQUEST_MARK)));
});
