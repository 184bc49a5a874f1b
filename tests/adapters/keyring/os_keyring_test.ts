import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { inspect } from "node:util";
import type { NativeEntry, NativeKeyring } from "../../../adapters/keyring/native.ts";
import { keyringError } from "../../../adapters/keyring/native.ts";
import { OsKeyring, type OsKeyringOptions } from "../../../adapters/keyring/os_keyring.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { testKeyring } from "../../contracts/keyring.ts";
import { refused } from "../../contracts/refused.ts";
import { startBus } from "./fake_bus.ts";

const { signal } = new AbortController();
const ENTRY = { service: "codex-mcp", account: "a" };

/** A native module over a map, whose entries do what `changes` says instead. */
function native(
  changes: Partial<NativeEntry> = {},
): { readonly module: NativeKeyring; readonly made: unknown[][] } {
  const made: unknown[][] = [];
  const items = new Map<string, number[]>();
  class AsyncEntry implements NativeEntry {
    readonly #name: string;
    constructor(...words: unknown[]) {
      made.push(words);
      this.#name = JSON.stringify(words.slice(0, 2));
      Object.assign(this, changes);
    }
    getSecret(): Promise<number[] | null> {
      return Promise.resolve(items.get(this.#name) ?? null);
    }
    setSecret(secret: Uint8Array): Promise<void> {
      return Promise.resolve(void items.set(this.#name, [...secret]));
    }
    deleteCredential(): Promise<boolean> {
      return Promise.resolve(items.delete(this.#name));
    }
  }
  return { module: { AsyncEntry }, made };
}

function keyring(module: NativeKeyring, changes: Partial<OsKeyringOptions> = {}): OsKeyring {
  return new OsKeyring({
    platform: "darwin",
    load: () => Promise.resolve(module),
    bus: () => ({ address: "unix:path=/nowhere", runtimeFolder: undefined }),
    ...changes,
  });
}

async function reasonOf(body: () => Promise<unknown>): Promise<readonly (string | undefined)[]> {
  const error = await refused(body);
  assert(error instanceof EnterpriseError);
  return [error.code, error.reason];
}

const shared = native().module;
testKeyring("over a module", { open: () => Promise.resolve(keyring(shared)), backend: "Keychain" });

test("on Linux the Secret Service is always named, elsewhere nothing is", async () => {
  const bus = await startBus({ alias: "/a" });
  const linux = native();
  const where = { address: bus.address, runtimeFolder: undefined };
  await keyring(linux.module, { platform: "linux", bus: () => where }).read(ENTRY, signal);
  assertEquals(linux.made, [["codex-mcp", "a", { linux: { store: "secret-service" } }]]);
  await bus.close();
  const windows = native();
  const other = keyring(windows.module, { platform: "windows" });
  await other.read(ENTRY, signal);
  assertEquals([windows.made, other.describe()], [[["codex-mcp", "a"]], "Credential Manager"]);
});

test("where the service is not there the module is not asked", async () => {
  const { module, made } = native();
  const linux = keyring(module, { platform: "linux" });
  assertEquals(await reasonOf(() => linux.write(ENTRY, { secret: "s", signal })), [
    "KEYRING_ABSENT",
    "no-service",
  ]);
  const bus = await startBus({ silentAt: "call" });
  const where = { address: bus.address, runtimeFolder: undefined };
  const silent = keyring(module, { platform: "linux", bus: () => where, probeSeconds: 0.05 });
  assertEquals(await reasonOf(() => silent.write(ENTRY, { secret: "s", signal })), [
    "KEYRING_LOCKED",
    "silent",
  ]);
  const given = AbortSignal.timeout(50);
  const patient = keyring(module, { platform: "linux", bus: () => where, probeSeconds: 600 });
  assertEquals(await reasonOf(() => patient.read(ENTRY, given)), ["KEYRING_LOCKED", "silent"]);
  assertEquals(made, []);
  await bus.close();
});

test("a module that cannot be loaded is told, tried again later, and loaded once", async () => {
  let loads = 0;
  const load = (): Promise<NativeKeyring> =>
    ++loads === 1 ? Promise.reject(new Error("no such file")) : Promise.resolve(native().module);
  const one = keyring(native().module, { load });
  assertEquals(loads, 0);
  assertEquals(await reasonOf(() => one.read(ENTRY, signal)), ["KEYRING_ABSENT", "module"]);
  await one.read(ENTRY, signal);
  await one.read(ENTRY, signal);
  assertEquals(loads, 2);
  const denied = keyring(native().module, {
    load: () => Promise.reject(keyringError("keyring", "permission")),
  });
  assertEquals(await reasonOf(() => denied.read(ENTRY, signal)), ["KEYRING_ABSENT", "permission"]);
  const other = keyring(native().module, { platform: "other" });
  assertEquals(await reasonOf(() => other.read(ENTRY, signal)), ["KEYRING_ABSENT", "platform"]);
});

test("what is read back and differs, or is gone, is KEYRING_UNRELIABLE", async () => {
  for (const bytes of [null, [], [0x78], [0xff]]) {
    const one = keyring(native({ getSecret: () => Promise.resolve(bytes) }).module);
    const write = (): Promise<void> => one.write(ENTRY, { secret: "secret", signal });
    assertEquals(await reasonOf(write), ["KEYRING_UNRELIABLE", "mismatch"]);
  }
});

test("a refusal that quotes the secret is told without it", async () => {
  const quoting = (): Promise<never> =>
    Promise.reject(new Error("Couldn't access platform storage: secret", { cause: "secret" }));
  const one = keyring(native({ setSecret: quoting, getSecret: quoting, deleteCredential: quoting }).module);
  const attempts = [
    () => one.write(ENTRY, { secret: "secret", signal }),
    () => one.read(ENTRY, signal),
    () => one.delete(ENTRY, signal),
  ];
  for (const attempt of attempts) {
    const error = await refused(attempt);
    assertEquals(error.code, "KEYRING_LOCKED");
    assert(!inspect(error, { depth: null, showHidden: true }).includes("secret"));
  }
});

test("what throws at once is told like what rejects", async () => {
  class Throwing {
    constructor() {
      throw new Error("Couldn't access platform storage: secret");
    }
  }
  const module = { AsyncEntry: Throwing } as unknown as NativeKeyring;
  assertEquals(await reasonOf(() => keyring(module).read(ENTRY, signal)), ["KEYRING_LOCKED", "denied"]);
  const thrown = native({
    getSecret: () => {
      throw new Error("secret");
    },
  });
  assertEquals(await reasonOf(() => keyring(thrown.module).read(ENTRY, signal)), [
    "KEYRING_LOCKED",
    "denied",
  ]);
});

test("a write that is given up stays unsettled until it ends", async () => {
  let end = (): void => undefined;
  const slow = native({ setSecret: () => new Promise((resolve) => end = resolve) });
  const one = keyring(slow.module, { answerSeconds: 0.02 });
  assertEquals(await reasonOf(() => one.write(ENTRY, { secret: "s", signal })), ["KEYRING_LOCKED", "silent"]);
  const unsettled = one.unsettled();
  assert(unsettled !== null);
  end();
  await unsettled;
  assertEquals(one.unsettled(), null);
  const reading = keyring(native({ getSecret: () => new Promise(() => undefined) }).module, {
    answerSeconds: 0.02,
  });
  assertEquals(await reasonOf(() => reading.read(ENTRY, signal)), ["KEYRING_LOCKED", "silent"]);
  assertEquals(reading.unsettled(), null);
});
