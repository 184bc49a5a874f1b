import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { probeSecretService, socketPath } from "../../../adapters/keyring/secret_service.ts";
import { type BusManner, startBus } from "./fake_bus.ts";

async function verdictOf(
  manner: BusManner,
  signal: AbortSignal = AbortSignal.timeout(30_000),
): Promise<string> {
  const bus = await startBus(manner);
  try {
    return await probeSecretService({ address: bus.address, runtimeFolder: undefined }, signal);
  } finally {
    await bus.close();
  }
}

const ERROR = "org.freedesktop.DBus.Error";

const CASES: readonly (readonly [name: string, manner: BusManner, verdict: string])[] = [
  ["a collection", { alias: "/org/freedesktop/secrets/collection/login" }, "ready"],
  ["a collection, by a bus that asks for data first", { alias: "/a", asksForData: true }, "ready"],
  ["a collection, byte by byte", { alias: "/a", inBits: true }, "ready"],
  ["no collection", { alias: "/" }, "no-collection"],
  ["no such service", { error: `${ERROR}.ServiceUnknown` }, "no-service"],
  ["no owner", { error: `${ERROR}.NameHasNoOwner` }, "no-service"],
  ["a service that does not start", { error: `${ERROR}.Spawn.ChildExited` }, "no-service"],
  ["no reply", { error: `${ERROR}.NoReply` }, "silent"],
  ["access denied", { error: `${ERROR}.AccessDenied` }, "denied"],
  ["a service that does not know the question", { error: `${ERROR}.UnknownMethod` }, "ready"],
  ["a bus that lets nobody in", { rejects: true }, "denied"],
  ["a bus that takes no name", { error: `${ERROR}.LimitsExceeded`, toHello: true }, "denied"],
  ["a bus that hangs up", { hangsUp: true }, "no-service"],
  ["a bus that says too much", { floods: true }, "no-service"],
];

for (const [name, manner, verdict] of CASES) {
  test(`${name}: ${verdict}`, async () => assertEquals(await verdictOf(manner), verdict));
}

for (const silentAt of ["connect", "auth", "hello", "call"] as const) {
  test(`silence from ${silentAt} on ends with the signal`, async () => {
    assertEquals(await verdictOf({ silentAt }, AbortSignal.timeout(50)), "silent");
    assertEquals(await verdictOf({ silentAt }, AbortSignal.abort()), "silent");
  });
}

test("a socket that is not there is no service", async () => {
  const signal = AbortSignal.timeout(30_000);
  const probe = (address: string | undefined, runtimeFolder?: string): Promise<string> =>
    probeSecretService({ address, runtimeFolder }, signal);
  assertEquals(await probe("unix:path=/nowhere/bus"), "no-service");
  assertEquals(await probe(undefined, "/nowhere"), "no-service");
  assertEquals(await probe(undefined), "no-service");
  assertEquals(await probe("tcp:host=127.0.0.1,port=1"), "unknown");
});

test("where the bus is", () => {
  const at = (address: string | undefined, runtimeFolder?: string): string | null =>
    socketPath({ address, runtimeFolder });
  assertEquals(at("unix:path=/run/user/0/bus"), "/run/user/0/bus");
  assertEquals(at("unix:guid=1,path=/a%20b"), "/a b");
  assertEquals(at("tcp:host=h;unix:path=/second"), "/second");
  assertEquals(at("unix:abstract=/tmp/x,guid=2"), "\0/tmp/x");
  assertEquals(at("unixexec:path=/bin/x"), "unknown");
  assertEquals(at("", "/run/user/0"), "/run/user/0/bus");
  assertEquals(at(undefined, ""), null);
});
