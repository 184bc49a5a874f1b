/**
 * The hardened transport: what it sends, what it refuses to send, how much it reads, and how it fails.
 *
 * @module
 */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { test } from "node:test";
import { withinSeconds } from "../../../../adapters/async/deadline.ts";
import { createSendingRuntime as createDenoSending } from "../../../../adapters/deno/sending.ts";
import { createHttp } from "../../../../adapters/http/transport/http.ts";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import { createSendingRuntime as createNodeSending } from "../../../../adapters/node/sending.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpPort, HttpRequest } from "../../../../core/ports/http.ts";
import { noSignal } from "../answers.ts";

const GET: HttpRequest = { method: "GET", url: "https://idp.example/x?code=s3cret", headers: [] };
const LIMITS = { maxBytes: 100 };
const runtime = createEdgeRuntime();
const createSendingRuntime = typeof Deno === "undefined" ? createNodeSending : createDenoSending;

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await assertRejects(() => work, EnterpriseError);
  assertEquals(inspect(error, { depth: 9, showHidden: true }).includes("s3cret"), false);
  return `${error.code} ${error.reason}`;
}

/** A server that does `answer` with each request, and how many there were; one with a cookie counts a hundred. */
async function withServer(
  answer: (server: { readonly count: number; readonly path: string }) => string | null,
  work: (origin: string, count: () => number) => Promise<void>,
): Promise<void> {
  let count = 0;
  const server: Server = createServer((request, response) => {
    request.resume().once("end", () => {
      count += request.headers.cookie === undefined ? 1 : 100;
      const body = answer({ count, path: request.url ?? "" });
      if (body === null) response.destroy();
      else if (request.url === "/redirect") response.writeHead(307, { location: "/other" }).end();
      else response.writeHead(200, { "set-cookie": "a=b" }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => count);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test("the request goes out as it is, without following redirects", async () => {
  const seen: [string, RequestInit | undefined][] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    seen.push([String(input), init]);
    return Promise.resolve(new Response("x", { status: 302, headers: { Location: "/y" } }));
  };
  const headers = [["accept", "application/json"]] as const;
  const request: HttpRequest = { method: "POST", url: "https://idp.example/token", headers, body: "a=b" };
  const response = await createHttp({ fetch, runtime }).send(request, { signal: noSignal(), ...LIMITS });
  assertEquals(response.status, 302);
  assertEquals(response.headers.find(([name]) => name === "location"), ["location", "/y"]);
  assertEquals(new TextDecoder().decode(response.body ?? undefined), "x");
  const [[url, init] = ["", undefined]] = seen;
  assertEquals(url, "https://idp.example/token");
  assertEquals(init?.redirect, "manual");
  assertEquals(init?.headers, [["accept", "application/json"]]);
  assertEquals(await (init?.body as Blob).text(), "a=b");
});

test("over a real connection: no redirect is followed, no cookie comes back, the body is counted", async () => {
  await withServer(
    ({ path }) => path === "/long" ? "x".repeat(101) : "x".repeat(100),
    async (origin, count) => {
      const http = createHttp({ runtime: createSendingRuntime() });
      const get = (path: string) =>
        http.send({ method: "GET", url: `${origin}${path}`, headers: [] }, { signal: noSignal(), ...LIMITS });
      assertEquals((await get("/redirect")).status, 307);
      assertEquals(count(), 1);
      assertEquals((await get("/just")).body?.length, 100);
      assertEquals((await get("/long")).body, null);
      assertEquals(count(), 3);
    },
  );
});

test("a body is sent once, also when a connection that was used before is cut", async () => {
  await withServer(({ count }) => count === 1 ? "warm" : null, async (origin, count) => {
    const http = createHttp({ runtime: createSendingRuntime() });
    const post = () =>
      http.send({ method: "POST", url: origin, headers: [], body: "assertion=x" }, {
        signal: noSignal(),
        ...LIMITS,
      });
    await post();
    assertEquals(await codeOf(post()), "TEMPORARILY_UNAVAILABLE network");
    assertEquals(count(), 2);
  });
});

test("nothing goes to an address that is neither https nor plain http on a literal loopback", async () => {
  let sent = 0;
  const fetch = (): Promise<Response> => Promise.resolve(new Response(String(sent += 1)));
  const http = createHttp({ fetch, runtime });
  const to = (url: string) => http.send({ ...GET, url }, { signal: noSignal(), ...LIMITS });
  assertEquals(
    await codeOf(to("http://idp.example/?x=s3cret")),
    "URL_REFUSED scheme",
  );
  assertEquals(await codeOf(to("https://user:s3cret@idp.example/")), "URL_REFUSED userinfo");
  assertEquals(await codeOf(to("https://idp.example/#s3cret")), "URL_REFUSED fragment");
  assertEquals(await codeOf(to("file:///etc/hostname")), "URL_REFUSED malformed");
  assertEquals(sent, 0);
  await to("http://127.0.0.1:1/");
  await to("https://idp.example/");
  assertEquals(sent, 2);
});

test("it refuses to send where the runtime would not send safely, and asks at each request", async () => {
  let sent = 0;
  let off: string | null = null;
  const asked: string[] = [];
  const fetch = (): Promise<Response> => Promise.resolve(new Response(String(sent += 1)));
  const http = createHttp({
    fetch,
    runtime: {
      certificateSwitch: (hostname) => Promise.resolve(asked.push(hostname) > 0 ? off : null),
      loopbackProxy: () => ({ variable: "HTTP_PROXY", exceptions: "NO_PROXY", entry: "127.0.0.1" }),
    },
  });
  const send = (url: string) => http.send({ ...GET, url }, { signal: noSignal(), ...LIMITS });
  await send(GET.url);
  off = "--a-flag";
  assertEquals(await codeOf(send(GET.url)), "CONFIGURATION_REFUSED certificate-checks-off");
  off = null;
  assertEquals(
    await codeOf(send("http://127.0.0.1:1/?code=s3cret")),
    "CONFIGURATION_REFUSED loopback-through-proxy",
  );
  assertEquals([asked, sent], [["idp.example", "idp.example", "127.0.0.1"], 1]);
});

test("without a word about the runtime nothing is sent", async () => {
  let sent = 0;
  const fetch = (): Promise<Response> => Promise.resolve(new Response(String(sent += 1)));
  for (const options of [undefined, {}, { fetch }]) {
    // as a program without types calls it
    const http: HttpPort = Reflect.apply(createHttp, undefined, options === undefined ? [] : [options]);
    const code = await codeOf(http.send(GET, { signal: noSignal(), ...LIMITS }));
    assertEquals(code, "CONFIGURATION_REFUSED runtime-unknown");
  }
  assertEquals(sent, 0);
});

test("a runtime that does not say how it sends takes no longer than the request", async () => {
  let sent = 0;
  const http = createHttp({
    fetch: () => Promise.resolve(new Response(String(sent += 1))),
    runtime: { ...runtime, certificateSwitch: () => new Promise(() => {}) },
  });
  const work = (signal: AbortSignal) => http.send(GET, { signal, ...LIMITS });
  assertEquals(
    await codeOf(withinSeconds(work, { seconds: 0.01, signal: noSignal() })),
    "TEMPORARILY_UNAVAILABLE deadline",
  );
  assertEquals(sent, 0);
});

test("what the runtime throws becomes a coded error with its reason, and keeps nothing that is secret", async () => {
  const failing = (error: unknown) =>
    createHttp({ runtime, fetch: () => Promise.reject(error) }).send(GET, { signal: noSignal(), ...LIMITS });
  const refused = Object.assign(new Error("connect s3cret"), { code: "ECONNREFUSED" });
  assertEquals(
    await codeOf(failing(new TypeError("fetch failed s3cret", { cause: refused }))),
    "TEMPORARILY_UNAVAILABLE network",
  );
  const error = await assertRejects(
    () => failing(new TypeError("s3cret", { cause: refused })),
    EnterpriseError,
  );
  assertEquals(error.cause, { name: "TypeError", code: "ECONNREFUSED", status: null });
  assertStringIncludes(error.message, '"https://idp.example/x"');
  const untrusted = new TypeError("invalid peer certificate: UnknownIssuer");
  assertEquals(await codeOf(failing(untrusted)), "TEMPORARILY_UNAVAILABLE tls");
  const selfSigned = Object.assign(new Error("x"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  assertEquals(
    await codeOf(failing(new TypeError("x", { cause: selfSigned }))),
    "TEMPORARILY_UNAVAILABLE tls",
  );
});

test("a signal ends the request, before it and in the middle of a body", async () => {
  const aborted = AbortSignal.abort();
  assertEquals(
    await codeOf(createHttp({ runtime }).send(GET, { signal: aborted, ...LIMITS })),
    "TEMPORARILY_UNAVAILABLE aborted",
  );
  const controller = new AbortController();
  const endless = new ReadableStream<Uint8Array>({ pull: () => controller.abort() }, { highWaterMark: 0 });
  const http = createHttp({ runtime, fetch: () => Promise.resolve(new Response(endless)) });
  assertEquals(
    await codeOf(http.send(GET, { signal: controller.signal, ...LIMITS })),
    "TEMPORARILY_UNAVAILABLE aborted",
  );
  const never = createHttp({
    runtime,
    fetch: (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason))),
  });
  assertEquals(
    await codeOf(
      withinSeconds((signal) => never.send(GET, { signal, ...LIMITS }), {
        seconds: 0.001,
        signal: noSignal(),
      }),
    ),
    "TEMPORARILY_UNAVAILABLE deadline",
  );
});
