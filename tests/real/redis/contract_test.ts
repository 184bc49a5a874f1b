/**
 * The lease store over a real Redis: the contract that all lease stores keep, and what becomes of a connection.
 *
 * @module
 */

import { createClient } from "@redis/client";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { after, before, test } from "node:test";
import { openSharedLeases } from "../../../adapters/http/leases/shared_leases.ts";
import { connectRedis, type RedisConnection, RedisLeaseStore } from "../../../adapters/redis/mod.ts";
import { testLeaseStore } from "../../contracts/lease_store.ts";
import { answerOf, RedisServer } from "./server.ts";

let server: RedisServer;
let connection: RedisConnection;

before(async () => {
  server = await RedisServer.start();
  connection = await server.connect();
});

after(async () => {
  connection.close();
  await server.stop();
});

testLeaseStore("Redis", () => Promise.resolve(new RedisLeaseStore({ client: connection })));

test("a client of node-redis may be given as it is, and keys begin as they are told to", async () => {
  const own = createClient({ socket: { path: server.socket, tls: false } });
  await own.connect();
  const { signal } = new AbortController();
  const store = new RedisLeaseStore({ client: own, prefix: "ours:" });
  await store.change("one", { expected: null, next: "a", seconds: 60 }, signal);
  assertEquals(await server.command("GET", "ours:one"), "a");
  const left = Number(await server.command("PTTL", "ours:one"));
  assert(left > 50_000 && left <= 60_000);
  assertEquals(await store.change("one", { expected: "a", next: null }, signal), true);
  own.destroy();
});

test("what is no text is not read, and not changed", async () => {
  const { signal } = new AbortController();
  const store = new RedisLeaseStore({ client: connection });
  await server.command("LPUSH", "codex-mcp:lease:list", "a");
  const seen = await store.read("list", signal);
  assert(seen !== null);
  for (const expected of [seen, "a", null]) {
    assertEquals(await store.change("list", { expected, next: "b", seconds: 60 }, signal), false);
  }
  assertEquals(await store.change("list", { expected: seen, next: null }, signal), false);
  assertEquals(await server.command("LLEN", "codex-mcp:lease:list"), "1");
});

test("a value of another type at one place does not end the sharing at others", async () => {
  const { signal } = new AbortController();
  await using own = await RedisServer.start();
  await using client = await own.connect();
  const events: string[] = [];
  const leases = await openSharedLeases({
    store: new RedisLeaseStore({ client }),
    keys: [crypto.getRandomValues(new Uint8Array(32))],
    onEvent: ({ kind }) => void events.push(kind),
    limitMs: 5_000,
  });
  const now = Math.floor(Date.now() / 1000);
  const lease = { id: crypto.randomUUID(), token: "token", receivedAt: now, expiresAt: now + 300 };
  const [bad, good] = [{ binding: "bad", generation: "g" }, { binding: "good", generation: "g" }];
  assert(await leases.put(bad, { lease, seen: null, seconds: 300, signal }));
  const [key = ""] = (await own.dump()).keys();
  await own.command("DEL", key);
  await own.command("LPUSH", key, "a list");
  assert(await leases.put(good, { lease, seen: null, seconds: 300, signal }));
  for (let round = 0; round < 3; round += 1) {
    assertEquals((await leases.look(bad, signal))?.leases, []);
    assertEquals(await leases.put(bad, { lease, seen: "?", seconds: 300, signal }), false);
    assertEquals((await leases.look(good, signal))?.leases, [lease]);
  }
  assertEquals(events, ["lease-refused"]);
});

test("of a giant value a part is read, and it stays what it is", async () => {
  const { signal } = new AbortController();
  const store = new RedisLeaseStore({ client: connection });
  const key = "codex-mcp:lease:giant";
  await server.command("EVAL", 'redis.call("SET", KEYS[1], string.rep("A", 50000000))', "1", key);
  const seen = await store.read("giant", signal) ?? "";
  assertEquals(seen.length, 262_144);
  assertEquals(await store.change("giant", { expected: seen, next: "b", seconds: 60 }, signal), false);
  assertEquals(await store.change("giant", { expected: seen, next: null }, signal), false);
  assertEquals(await server.command("STRLEN", key), "50000000");
  await server.command("DEL", key);
});

test("a full Redis refuses, and is read on", async () => {
  await using full = await RedisServer.start(["--maxmemory", "1", "--maxmemory-policy", "noeviction"]);
  await using own = await full.connect();
  const { signal } = new AbortController();
  const store = new RedisLeaseStore({ client: own });
  await assertRejects(() => store.change("one", { expected: null, next: "a", seconds: 60 }, signal));
  assertEquals(await store.read("one", signal), null);
});

test("a password that is asked for is given, and without it nothing is sent", async () => {
  await using locked = await RedisServer.start();
  await locked.command("CONFIG", "SET", "requirepass", "s3cret");
  const { socket: path } = locked;
  await using own = await connectRedis({ path, password: "s3cret" });
  assertEquals(await answerOf(own, ["SET", "a", "b"]), "OK");
  for (const options of [{ path, password: "wrong" }, { path, username: undefined }]) {
    await using other = await connectRedis(options);
    await assertRejects(() => other.sendCommand(["GET", "a"]));
  }
});

test("a user who may do what the documentation names can share", async () => {
  await using strict = await RedisServer.start();
  const commands = ["getrange", "set", "eval", "get", "strlen", "del"].map((name) => `+${name}`);
  const rights = ["on", ">s3cret", "~codex-mcp:lease:*", "resetchannels", "-@all", ...commands];
  assertEquals(await strict.command("ACL", "SETUSER", "codex", ...rights), "OK");
  await using own = await connectRedis({ path: strict.socket, username: "codex", password: "s3cret" });
  assertEquals(await answerOf(own, ["GETRANGE", "codex-mcp:lease:one", "0", "9"]), "");
  const { signal } = new AbortController();
  const store = new RedisLeaseStore({ client: own });
  assertEquals(await store.change("one", { expected: null, next: "a", seconds: 60 }, signal), true);
  assertEquals(await store.change("one", { expected: "a", next: "b", seconds: 60 }, signal), true);
  assertEquals(await store.read("one", signal), "b");
  assertEquals(await store.change("one", { expected: "b", next: null }, signal), true);
  await assertRejects(() => own.sendCommand(["GET", "elsewhere"]));
});

test("a connection that was lost is made anew when it is needed", async () => {
  await using own = await RedisServer.start();
  await using lost = await own.connect();
  assertEquals(await lost.sendCommand(["SET", "a", "b"]), "OK");
  await own.kill();
  await assertRejects(() => lost.sendCommand(["GET", "a"]));
  await assertRejects(() => lost.sendCommand(["GET", "a"]));
  await own.start();
  assertEquals(await answerOf(lost, ["GET", "a"]), null);
});

test("a connection that fell silent is given up, and the next command makes another", async () => {
  await using own = await RedisServer.start();
  await using silent = await own.connect();
  own.freeze(true);
  await assertRejects(() => silent.sendCommand(["SET", "a", "b"]), DOMException);
  await assertRejects(() => silent.sendCommand(["SET", "a", "b"]), DOMException);
  own.freeze(false);
  assertEquals(await answerOf(silent, ["GET", "c"]), null);
});

test("where nobody listens, a command is refused soon and never sent later", async () => {
  await using own = await RedisServer.start();
  await own.kill();
  await using none = await connectRedis({ path: own.socket });
  const began = performance.now();
  await assertRejects(() => none.sendCommand(["SET", "late", "b"]));
  assert(performance.now() - began < 5_000);
  await own.start();
  assertEquals(await answerOf(none, ["GET", "late"]), null);
});

test("a closed connection sends nothing", async () => {
  const closed = await connectRedis({ path: server.socket });
  closed.close();
  await assertRejects(() => closed.sendCommand(["PING"]));
  const used = await server.connect();
  await used.sendCommand(["PING"]);
  used.close();
  await assertRejects(() => used.sendCommand(["PING"]));
});

test("an open connection does not keep a program running", async () => {
  const program = `
    import { connectRedis } from "./adapters/redis/mod.ts";
    const connection = await connectRedis({ path: Deno.args[0] ?? "" });
    let answer: unknown;
    while (answer === undefined) answer = await connection.sendCommand(["PING"]).catch(() => undefined);
    console.log(answer);
  `;
  const folder = await Deno.makeTempDir();
  const root = new URL("../../..", import.meta.url).pathname;
  const path = `${folder}/program.ts`;
  await Deno.writeTextFile(path, program.replace('"./', `"${root}`));
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", "--config", `${root}deno.json`, path, server.socket],
    signal: AbortSignal.timeout(90_000),
    stderr: "null",
  }).output();
  await Deno.remove(folder, { recursive: true });
  assertEquals([code, new TextDecoder().decode(stdout)], [0, "PONG\n"]);
});
