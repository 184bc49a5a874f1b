import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { configurationOf, recordOf, SERVER_URL, startFakeHost, USE } from "../fake_legs.ts";

/** A server that asks for one scope more, once. */
function stepUpServer(): typeof fetch {
  const asks = 'Bearer error="insufficient_scope", scope="admin"';
  const answers = [new Response(null, { status: 403, headers: { "www-authenticate": asks } })];
  return () => Promise.resolve(answers.shift() ?? new Response("ok"));
}

const POST = { method: "POST", body: "{}" };

test("a thread that was closed begins anew with what is configured and allowed now", async () => {
  const { tokens, legs } = await startFakeHost({
    fetch: stepUpServer(),
    members: { allow_scopes: ["read", "admin"] },
  });
  await tokens.openThread(USE);
  await tokens.authenticatedFetch(USE)(SERVER_URL, POST);
  assertEquals(legs.scopes.at(-1), ["read", "admin"]);
  tokens.closeThread(USE.thread);
  await tokens.openThread(USE);
  assertEquals(await tokens.token(USE), "bearer-1", "it is not the lease of the configured scopes");
  tokens.closeThread(USE.thread);
  await tokens.loadConfiguration(configurationOf({ allow_scopes: ["read"] }));
  await tokens.openThread(USE);
  await tokens.token(USE);
  assertEquals(legs.scopes.at(-1), ["read"]);
});

test("the scopes that a thread got are not asked for with another person's sign-in", async () => {
  const { tokens, legs } = await startFakeHost({ fetch: stepUpServer() });
  await tokens.openThread(USE);
  await tokens.authenticatedFetch(USE)(SERVER_URL, POST);
  tokens.closeThread(USE.thread);
  await tokens.signOut("default");
  const bob = recordOf({ user: "bob", subject: "bob", generation: "02".repeat(16) });
  await tokens.signIn("default", () => Promise.resolve(bob));
  await tokens.openThread(USE);
  await tokens.token(USE);
  assertEquals(legs.scopes.at(-1), ["read"]);
});

test("the streams of a thread end when it is closed", async () => {
  const { tokens } = await startFakeHost();
  await tokens.openThread(USE);
  const signal = tokens.revocation(USE);
  tokens.closeThread(USE.thread);
  assertEquals([signal.aborted, tokens.revocation(USE).aborted], [true, false]);
});

test("threads that were revoked and closed do not pile up", async () => {
  let threads = 0;
  const { tokens } = await startFakeHost({ onState: (state) => void (threads = state.threads.length) });
  for (let round = 2; round < 6; round += 1) {
    const names = Array.from({ length: 20 }, (_, index) => `${round}-${index}`);
    for (const thread of names) await tokens.openThread({ ...USE, thread });
    await tokens.signOut("default");
    for (const thread of names) tokens.closeThread(thread);
    const generation = `0${round}`.repeat(16);
    await tokens.signIn("default", () => Promise.resolve(recordOf({ generation })));
  }
  assertEquals(threads, 0);
  await tokens.openThread({ ...USE, thread: "2-0" });
  assertEquals(tokens.status("notes", "2-0"), { kind: "reconnect", because: "signed-out" });
});

test("a server that forgets all tokens once is not blocked by it, however many leases there are", async () => {
  const seen = new Set<string>();
  const dead = new Set<string>();
  const asks = 'Bearer error="insufficient_scope", scope="admin"';
  let asking = true;
  const fetch = (async (_url, init) => {
    const headers = new Headers(init?.headers);
    const bearer = headers.get("authorization") ?? "";
    await Promise.resolve();
    if (dead.has(bearer)) return new Response(null, { status: 401 });
    seen.add(bearer);
    if (!headers.has("x-wants-more") || !asking) return new Response("ok");
    asking = false;
    return new Response(null, { status: 403, headers: { "www-authenticate": asks } });
  }) as typeof globalThis.fetch;
  const { tokens } = await startFakeHost({ fetch });
  const call = async (thread: string, headers: Record<string, string> = {}): Promise<number> => {
    const use = { ...USE, thread };
    return (await tokens.authenticatedFetch(use)(SERVER_URL, { ...POST, headers })).status;
  };
  assertEquals([await call("a"), await call("b", { "x-wants-more": "1" })], [200, 200]);
  for (const bearer of seen) dead.add(bearer);
  assertEquals(await Promise.all([call("a"), call("b")]), [200, 200]);
  assertEquals(tokens.status("notes").kind, "ready");
});

test("a server that is configured no more, or never was, is not ready", async () => {
  const { tokens } = await startFakeHost();
  await tokens.token(USE);
  await tokens.loadConfiguration(configurationOf({ enabled: true, url: "not a URL" }));
  assertEquals(tokens.status("notes").kind, "disabled");
  await tokens.loadConfiguration({ ...configurationOf(), servers: [] });
  assertEquals([tokens.status("notes").kind, tokens.status("never").kind], ["disabled", "disabled"]);
});
