import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { failureOf, type FakeHost, SERVER_URL, startFakeHost, USE } from "../fake_legs.ts";
import { deferred } from "../../mcp/host/deferred.ts";

interface Answer {
  readonly status: number;
  readonly challenge?: string;
}

/** A host whose server gives these answers in turn, then 200. */
async function serve(
  answers: Answer[],
  members: Readonly<Record<string, unknown>> = {},
): Promise<FakeHost & { readonly bearers: string[] }> {
  const bearers: string[] = [];
  const fetch = ((_url: string, init: RequestInit): Promise<Response> => {
    assertEquals(init.redirect, "manual");
    bearers.push(new Headers(init.headers).get("authorization") ?? "");
    const { status, challenge } = answers.shift() ?? { status: 200 };
    const headers = challenge === undefined ? {} : { "www-authenticate": challenge };
    return Promise.resolve(new Response(null, { status, headers }));
  }) as typeof globalThis.fetch;
  return { ...await startFakeHost({ fetch, members }), bearers };
}

const POST = { method: "POST", body: "{}" };

function refusal(host: FakeHost): Promise<readonly (string | undefined)[]> {
  return assertRejects(() => host.tokens.authenticatedFetch(USE)(SERVER_URL, POST), EnterpriseError)
    .then(({ code, reason }) => [code, reason]);
}

const MORE = 'Bearer error="insufficient_scope", scope="write"';

test("a 401 gets one more bearer, a second one blocks", async () => {
  const host = await serve([{ status: 401 }]);
  assertEquals((await host.tokens.authenticatedFetch(USE)(SERVER_URL, POST)).status, 200);
  assertEquals(host.bearers, ["Bearer bearer-1", "Bearer bearer-2"]);
  const blocked = await serve([{ status: 401 }, { status: 401 }]);
  assertEquals(await refusal(blocked), ["REAUTHORIZATION_REQUIRED", "bearer-refused"]);
  assertEquals(blocked.bearers.length, 2);
});

test("fetch is called on its own: as a method, Workers and browsers refuse it", async () => {
  const receivers: unknown[] = [];
  function fetch(this: unknown): Promise<Response> {
    receivers.push(this);
    return Promise.resolve(new Response());
  }
  const { tokens } = await startFakeHost({ fetch });
  assertEquals((await tokens.authenticatedFetch(USE)(SERVER_URL, POST)).status, 200);
  assertEquals(receivers, [undefined]);
});

test("a good answer between two 401 begins anew", async () => {
  const host = await serve([{ status: 401 }, { status: 200 }, { status: 401 }, { status: 200 }]);
  const send = host.tokens.authenticatedFetch(USE);
  for (let round = 0; round < 2; round += 1) assertEquals((await send(SERVER_URL, POST)).status, 200);
  assertEquals(host.bearers.length, 4);
});

test("more scopes are got once, and asked for at once the next time", async () => {
  const host = await serve([{ status: 403, challenge: MORE }]);
  const send = host.tokens.authenticatedFetch(USE);
  assertEquals((await send(SERVER_URL, POST)).status, 200);
  assertEquals(host.legs.scopes, [["read"], ["write"]]);
  await send(SERVER_URL, POST);
  assertEquals(host.bearers, ["Bearer bearer-1", "Bearer bearer-2", "Bearer bearer-2"]);
});

test("a step-up is refused: twice, without scope, beyond allow_scopes", async () => {
  const twice = await serve([{ status: 403, challenge: MORE }, { status: 403, challenge: MORE }]);
  assertEquals(await refusal(twice), ["SCOPE_REFUSED", "only-once"]);
  const silent = await serve([{ status: 403, challenge: 'Bearer error="insufficient_scope"' }]);
  assertEquals(await refusal(silent), ["SCOPE_REFUSED", "challenge-without-scope"]);
  const bounded = await serve([{ status: 403, challenge: MORE }], { allow_scopes: ["read"] });
  assertEquals(await refusal(bounded), ["SCOPE_REFUSED", "not-allowed"]);
});

test("a step-up that the identity provider refuses blocks nothing", async () => {
  const host = await serve([{ status: 403, challenge: MORE }]);
  await host.tokens.token(USE);
  host.legs.failures.exchange.push(failureOf("token-exchange", "invalid_scope"));
  assertEquals((await refusal(host))[0], "SCOPE_REFUSED");
  assertEquals(host.tokens.status("notes", "one").kind, "ready");
  assertEquals((await host.tokens.authenticatedFetch(USE)(SERVER_URL, POST)).status, 200);
});

test("a stronger sign-in is asked for by either status", async () => {
  for (const status of [401, 403]) {
    const host = await serve([{ status, challenge: 'Bearer error="insufficient_user_authentication"' }]);
    assertEquals((await refusal(host))[0], "STRONGER_SIGN_IN_REQUIRED");
    assertEquals(host.tokens.status("notes").kind, "stronger-sign-in");
  }
});

test("no redirect is followed, and every other answer is handed on", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    assertEquals(await refusal(await serve([{ status }])), ["URL_REFUSED", "redirected"]);
  }
  for (const status of [202, 400, 403, 404, 500]) {
    const host = await serve([{ status }]);
    assertEquals((await host.tokens.authenticatedFetch(USE)(SERVER_URL, POST)).status, status);
    assertEquals(host.bearers.length, 1);
  }
});

test("a connection that fails says nothing of the request", async () => {
  const fetch =
    ((): Promise<Response> =>
      Promise.reject(new TypeError("failed for bearer-1"))) as unknown as typeof globalThis.fetch;
  const host = await startFakeHost({ fetch });
  const error = await assertRejects(() => host.tokens.authenticatedFetch(USE)(SERVER_URL), EnterpriseError);
  assertEquals([error.code, error.reason], ["TEMPORARILY_UNAVAILABLE", "network"]);
  assert(!JSON.stringify([error.message, error.cause, error.stack]).includes("bearer-1"));
  assertEquals(host.tokens.status("notes").kind, "ready");
});

test("whoever ends a request is told so in their own words, not of an outage", async () => {
  class Cancelled extends Error {}
  const reasons = [new Cancelled("the person cancelled"), new DOMException("Over", "AbortError")];
  for (const reason of reasons) {
    for (const thrown of [reason, new TypeError("the connection was cut")]) {
      const controller = new AbortController();
      const sent = deferred<void>();
      const fetch = ((_url: string, { signal }: RequestInit): Promise<Response> =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () =>
            reject(thrown));
          sent.resolve();
        })) as typeof globalThis.fetch;
      const host = await startFakeHost({ fetch });
      const call = host.tokens.authenticatedFetch(USE)(SERVER_URL, { ...POST, signal: controller.signal });
      await sent.promise;
      controller.abort(reason);
      const error = await call.catch((one: unknown) => one);
      assertEquals([error === reason, host.tokens.status("notes").kind], [true, "ready"], String(error));
    }
  }
});

test("where the runtime would not send safely no bearer is asked for or sent", async () => {
  const sent: string[] = [];
  const fetch = ((url: string): Promise<Response> => {
    sent.push(url);
    return Promise.resolve(new Response(null));
  }) as typeof globalThis.fetch;
  const proxy = { variable: "HTTP_PROXY", exceptions: "NO_PROXY", entry: "127.0.0.1" } as const;
  const edge = createEdgeRuntime();
  const off = { ...edge, certificateSwitch: () => Promise.resolve("--flag") };
  const astray = { ...edge, loopbackProxy: () => proxy };
  const url = "http://127.0.0.1:8080/mcp";
  for (
    const [runtime, reason] of [[off, "certificate-checks-off"], [astray, "loopback-through-proxy"]] as const
  ) {
    const host = await startFakeHost({ fetch, runtime, members: { url } });
    const send = () => host.tokens.authenticatedFetch(USE)(url, POST);
    const error = await assertRejects(send, EnterpriseError);
    assertEquals([error.code, error.reason], ["CONFIGURATION_REFUSED", reason]);
    assertEquals([host.legs.asked, sent], [[], []]);
  }
  const host = await startFakeHost({ fetch, members: { url } });
  await host.tokens.authenticatedFetch(USE)(url, POST);
  assertEquals(sent, [url]);
});
