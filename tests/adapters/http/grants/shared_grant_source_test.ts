import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { MemorySecretStore } from "../../../../adapters/http/grants/memory_secret_store.ts";
import { SharedGrantSource } from "../../../../adapters/http/grants/shared_grant_source.ts";
import { createClock } from "../../../../adapters/http/transport/clock.ts";
import { rotateGrant } from "../../../../core/enterprise/grant/record.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { SecretStore } from "../../../../core/ports/secret_store.ts";
import { testGrantSource } from "../../../contracts/grant_source.ts";
import { recordOf } from "../fake_legs.ts";

const PROVIDER = { issuer: "https://idp.example", client: { clientId: "codex" } };
const KEY = "a".repeat(64);
const { signal } = new AbortController();

testGrantSource("over a secret store", (count) => {
  const store = new MemorySecretStore();
  const sources = Array.from({ length: count }, () => new SharedGrantSource({ store, provider: PROVIDER }));
  return Promise.resolve(sources);
});

testGrantSource("in memory", (count) => {
  const source = new MemoryGrantSource();
  return Promise.resolve(Array.from({ length: count }, () => source));
});

test("each client of each identity provider has a marker and a lock of its own", async () => {
  const store = new MemorySecretStore();
  const names = new Set<string>();
  const watched: SecretStore = {
    read: (name, within) => {
      names.add(name);
      return store.read(name, within);
    },
    write: (name, change, within) => store.write(name, change, within),
  };
  const one = new SharedGrantSource({ store: watched, provider: PROVIDER });
  const other = new SharedGrantSource({
    store: watched,
    provider: { ...PROVIDER, client: { clientId: "o" } },
  });
  await one.locked((grants) => grants.write(KEY, recordOf()), signal);
  assertEquals(await other.marker(signal), null);
  for (const name of names) assertEquals(/^[a-z0-9-]{1,90}$/.test(name), true, name);
  assertEquals(names.size, 4); // two markers, a lock and the grant, which the account names
});

test("a marker is read each time, or is good for as long as is said, and no longer", async () => {
  const store = new MemorySecretStore();
  const clock = { time: 100, now: (): number => clock.time, sleep: () => Promise.resolve(true) };
  let reads = 0;
  const counted: SecretStore = {
    read: (name, within) => {
      reads += 1;
      return store.read(name, within);
    },
    write: (name, change, within) => store.write(name, change, within),
  };
  const strict = new SharedGrantSource({ store: counted, provider: PROVIDER, clock });
  await strict.marker(signal);
  await strict.marker(signal);
  assertEquals(reads, 2);
  const lenient = new SharedGrantSource({ store: counted, provider: PROVIDER, clock, freshSeconds: 2 });
  for (const [step, expected] of [[0, 3], [1.9, 3], [0.1, 4], [-50, 5]] as const) {
    clock.time += step;
    await lenient.marker(signal);
    assertEquals(reads, expected, `${clock.time}`);
  }
  await new SharedGrantSource({ store, provider: PROVIDER }).locked(
    (grants) => grants.write(KEY, recordOf()),
    signal,
  );
  assertEquals(await lenient.marker(signal), null);
  clock.time += 2;
  assertEquals((await lenient.marker(signal))?.current, KEY);
});

test("a rotated token that was not stored in time is stored without anybody asking, and before the end", async () => {
  for (const how of ["aside", "at the end"] as const) {
    const store = new MemorySecretStore();
    let down = false;
    const faulty: SecretStore = {
      read: (name, within) => store.read(name, within),
      write: (name, change, within) =>
        down ? Promise.reject(new Error("503")) : store.write(name, change, within),
    };
    const wall = createClock();
    const sleep = (seconds: number, ended?: AbortSignal): Promise<boolean> => wall.sleep(seconds / 50, ended);
    const clock = { now: wall.now, sleep };
    const source = new SharedGrantSource({ store: faulty, provider: PROVIDER, clock });
    await source.locked((grants) => grants.write(KEY, recordOf()), signal);
    const rotated = rotateGrant(recordOf(), { refreshToken: "rotated" });
    const controller = new AbortController();
    const write = source.locked((grants) => {
      down = true;
      setTimeout(() => controller.abort(), 50);
      return grants.write(KEY, rotated);
    }, controller.signal);
    assertEquals((await assertRejects(() => write, EnterpriseError)).code, "KEYRING_LOCKED");
    down = false;
    if (how === "at the end") await source.idle();
    const other = new SharedGrantSource({ store, provider: PROVIDER, clock });
    const stored = () => other.locked((grants) => grants.read(KEY), signal);
    for (let round = 0; how === "aside" && (await stored())?.revision === 0; round += 1) {
      assert(round < 100);
      await clock.sleep(5);
    }
    assertEquals((await stored())?.refreshToken, "rotated");
    await source.idle();
  }
});

test("what this process changes it sees at once", async () => {
  const store = new MemorySecretStore();
  const source = new SharedGrantSource({ store, provider: PROVIDER, freshSeconds: 60 });
  assertEquals(await source.marker(signal), null);
  await source.locked((grants) => grants.write(KEY, recordOf()), signal);
  assertEquals((await source.marker(signal))?.current, KEY);
});

test("a marker that is none is said to be damaged, and a store that fails is named without its error", async () => {
  const store = new MemorySecretStore();
  const damaged: SecretStore = {
    read: (name, within) =>
      name.includes("marker") ? Promise.resolve({ text: "{", revision: "1" }) : store.read(name, within),
    write: (name, change, within) => store.write(name, change, within),
  };
  const one = new SharedGrantSource({ store: damaged, provider: PROVIDER });
  assertEquals((await assertRejects(() => one.marker(signal), EnterpriseError)).code, "MARKER_MALFORMED");
  const broken: SecretStore = {
    read: () => Promise.reject(new Error("password s3cret")),
    write: () => Promise.reject(new Error("password s3cret")),
  };
  const other = new SharedGrantSource({ store: broken, provider: PROVIDER });
  for (const work of [() => other.marker(signal), () => other.locked(() => Promise.resolve(null), signal)]) {
    const error = await assertRejects(work, EnterpriseError);
    assertEquals([error.code, error.reason], ["KEYRING_LOCKED", "secret-store"]);
    assertEquals(JSON.stringify([error.message, error.cause, error.stack]).includes("s3cret"), false);
  }
});
