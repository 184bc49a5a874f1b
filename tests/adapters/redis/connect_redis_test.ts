import { assert, assertEquals, assertRejects } from "@std/assert";
import { createServer } from "node:net";
import { test } from "node:test";
import { connectRedis } from "../../../adapters/redis/connect_redis.ts";

test("where nobody listens, a command is refused soon, and so is the next one", async () => {
  const connection = await connectRedis({ url: "redis://127.0.0.1:1" });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const began = performance.now();
    await assertRejects(() => connection.sendCommand(["PING"]));
    assert(performance.now() - began < 5_000);
  }
  connection.close();
});

test("a server that accepts and says nothing is waited for a moment only", async () => {
  const silent = createServer((socket) => void socket.resume());
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  assert(typeof address === "object" && address !== null);
  const connection = await connectRedis({ url: `redis://127.0.0.1:${address.port}` });
  await assertRejects(() => connection.sendCommand(["PING"]), DOMException);
  connection.close();
  await new Promise((resolve) => silent.close(resolve));
});

test("no signal is listened to by many, however many commands wait; closing ends them all", async () => {
  const silent = createServer((socket) => void socket.resume());
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  assert(typeof address === "object" && address !== null);
  const connecting = connectRedis({ url: `redis://127.0.0.1:${address.port}` });
  const listeners = new Map<EventTarget, number>();
  const { addEventListener } = AbortSignal.prototype;
  AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...args: readonly unknown[]) {
    listeners.set(this, (listeners.get(this) ?? 0) + 1);
    return Reflect.apply(addEventListener, this, args);
  };
  try {
    const connection = await connecting;
    const commands = Array.from({ length: 50 }, () => connection.sendCommand(["PING"]));
    connection.close();
    for (const one of await Promise.allSettled(commands)) assertEquals(one.status, "rejected");
  } finally {
    AbortSignal.prototype.addEventListener = addEventListener;
  }
  assert(listeners.size >= 50 && Math.max(...listeners.values()) <= 3, `${Math.max(...listeners.values())}`);
  await new Promise((resolve) => silent.close(resolve));
});

test("a connection that was closed sends nothing", async () => {
  const connection = await connectRedis({ url: "redis://127.0.0.1:1" });
  connection.close();
  await assertRejects(() => connection.sendCommand(["PING"]), TypeError);
});

test("a URL that is none is refused at once, and not shown", async () => {
  const error = await assertRejects(() => connectRedis({ url: "http://user:s3cret@127.0.0.1" }), TypeError);
  assert(!`${error.message} ${String(error.cause)} ${JSON.stringify(error)}`.includes("s3cret"));
});
