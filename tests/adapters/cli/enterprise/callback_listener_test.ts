import { assert, assertEquals, assertRejects } from "@std/assert";
import { request } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { listenForCallback } from "../../../../adapters/cli/enterprise/callback_listener.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";

/** Sends a request with any `Host`, which `fetch` does not let one choose. */
function send(
  url: string,
  { host, method = "GET", mode }: {
    readonly host?: string;
    readonly method?: string;
    readonly mode?: string;
  } = {},
): Promise<number> {
  const headers = {
    ...(host === undefined ? {} : { host }),
    ...(mode === undefined ? {} : { "sec-fetch-mode": mode }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end();
  });
}

/** What a browser says of a navigation. */
function navigate(url: string): Promise<Response> {
  return fetch(url, { redirect: "manual", headers: { "sec-fetch-mode": "navigate" } });
}

test("the callback is what came, and the page holds nothing of it", async () => {
  await using listener = await listenForCallback(null);
  assert(/^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(listener.redirectUri));
  const callback = listener.callback("the-state");
  const response = await navigate(`${listener.redirectUri}?code=the-code&state=the-state`);
  const page = await response.text();
  assertEquals((await callback).search, "?code=the-code&state=the-state");
  assert(page.includes("Go back to the terminal") && !page.includes("the-"));
  const headers = ["content-security-policy", "referrer-policy", "cache-control"].map((name) =>
    response.headers.get(name)
  );
  assert(headers[0]?.startsWith("default-src 'none'"));
  assertEquals(headers.slice(1), ["no-referrer", "no-store"]);
});

test("everything else is nothing, and the waiting goes on", async () => {
  await using listener = await listenForCallback(null);
  const { redirectUri } = listener;
  const origin = new URL(redirectUri).origin;
  const right = `${redirectUri}?code=1&state=s`;
  assertEquals(await send(right), 404); // no sign-in has begun
  const callback = listener.callback("s");
  let came = false;
  void callback.then(() => came = true);
  for (
    const url of [
      origin,
      `${origin}/favicon.ico`,
      redirectUri,
      `${redirectUri}x?code=1&state=s`,
      `${origin}//callback?code=1&state=s`,
      `${redirectUri}?error=access_denied`,
      `${redirectUri}?code=1&state=`,
      `${redirectUri}?code=1&state=S`,
      `${redirectUri}?code=1&state=s2`,
      `${redirectUri}?code=1&State=s`,
      `${redirectUri}?code=1&state=s&state=s`,
      `${redirectUri}?state=x&code=1&state=s`,
    ]
  ) {
    assertEquals(await send(url), 404, url);
  }
  assertEquals(await send(right, { host: "evil.example" }), 404);
  assertEquals(await send(right, { host: `localhost:${new URL(origin).port}` }), 404);
  for (const method of ["POST", "HEAD", "OPTIONS"]) assertEquals(await send(right, { method }), 404, method);
  for (const mode of ["no-cors", "cors", "same-origin", "websocket", ""]) {
    assertEquals(await send(right, { mode }), 404, mode);
  }
  assertEquals(came, false);
  assertEquals(await send(right, { mode: "navigate" }), 200);
  assertEquals((await callback).href, right);
});

test("a fixed port is used, and said to be taken when it is", async () => {
  const first = await listenForCallback(null);
  const port = Number(new URL(first.redirectUri).port);
  const error = await assertRejects(() => listenForCallback(port), EnterpriseError);
  assertEquals([error.code, error.reason], ["TEMPORARILY_UNAVAILABLE", "EADDRINUSE"]);
  await first.close();
  await using again = await listenForCallback(port);
  assertEquals(again.redirectUri, first.redirectUri);
});

test("an entrance leads to the page once", async () => {
  await using listener = await listenForCallback(null);
  const page = "https://idp.example/authorize?state=the-state";
  const entrance = listener.entrance(page);
  assert(!entrance.includes("state"));
  const { host } = new URL(entrance);
  assertEquals(await send(entrance, { host: "evil.example" }), 404);
  assertEquals(await send(entrance, { method: "HEAD" }), 404);
  assertEquals(await send(entrance, { mode: "cors" }), 404);
  const response = await navigate(entrance);
  await response.body?.cancel();
  assertEquals([response.status, response.headers.get("location")], [302, page]);
  assertEquals(response.headers.get("referrer-policy"), "no-referrer");
  assertEquals(await send(entrance, { host }), 404);
});

test("a connection that says nothing does not keep it open", async () => {
  const listener = await listenForCallback(null);
  const socket = connect(Number(new URL(listener.redirectUri).port), "127.0.0.1");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => socket.destroy());
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  assertEquals(await send(listener.redirectUri), 404); // it was taken before this answer
  await listener.close();
  await closed;
});
