/**
 * The lease store over a real Redis: the contract that all lease stores keep, and what becomes of a connection.
 *
 * @module
 */

import { createClient } from "@redis/client";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { after, before, test } from "node:test";
import { connectRedis, type RedisConnection, RedisLeaseStore } from "../../../adapters/redis/mod.ts";
import { testLeaseStore } from "../../contracts/lease_store.ts";
import { RedisServer } from "./server.ts";

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
  await assertRejects(() => store.read("list", signal));
  await assertRejects(() => store.change("list", { expected: "a", next: null }, signal));
  assertEquals(await server.command("LLEN", "codex-mcp:lease:list"), "1");
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
  assertEquals(await own.sendCommand(["SET", "a", "b"]), "OK");
  for (const options of [{ path, password: "wrong" }, { path, username: undefined }]) {
    await using other = await connectRedis(options);
    await assertRejects(() => other.sendCommand(["GET", "a"]));
  }
});

test("a connection that was lost is made anew when it is needed", async () => {
  await using own = await RedisServer.start();
  await using lost = await own.connect();
  assertEquals(await lost.sendCommand(["SET", "a", "b"]), "OK");
  await own.kill();
  await assertRejects(() => lost.sendCommand(["GET", "a"]));
  await assertRejects(() => lost.sendCommand(["GET", "a"]));
  await own.start();
  assertEquals(await lost.sendCommand(["GET", "a"]), null);
});

test("a connection that fell silent is given up, and the next command makes another", async () => {
  await using own = await RedisServer.start();
  await using silent = await own.connect();
  own.freeze(true);
  await assertRejects(() => silent.sendCommand(["SET", "a", "b"]), DOMException);
  await assertRejects(() => silent.sendCommand(["SET", "a", "b"]), DOMException);
  own.freeze(false);
  let answer: unknown;
  for (let attempt = 0; attempt < 20 && answer === undefined; attempt += 1) {
    answer = await silent.sendCommand(["GET", "c"]).catch(() => undefined);
  }
  assertEquals(answer, null);
});

test("where nobody listens, a command is refused soon and never sent later", async () => {
  await using own = await RedisServer.start();
  await own.kill();
  await using none = await own.connect();
  const began = performance.now();
  await assertRejects(() => none.sendCommand(["SET", "late", "b"]));
  assert(performance.now() - began < 1_000);
  await own.start();
  assertEquals(await none.sendCommand(["GET", "late"]), null);
});

test("a closed connection sends nothing", async () => {
  const closed = await server.connect();
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
    console.log(await connection.sendCommand(["PING"]));
  `;
  const folder = await Deno.makeTempDir();
  const root = new URL("../../..", import.meta.url).pathname;
  const path = `${folder}/program.ts`;
  await Deno.writeTextFile(path, program.replace('"./', `"${root}`));
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", "--config", `${root}deno.json`, path, server.socket],
    signal: AbortSignal.timeout(20_000),
    stderr: "null",
  }).output();
  await Deno.remove(folder, { recursive: true });
  assertEquals([code, new TextDecoder().decode(stdout)], [0, "PONG\n"]);
});
