import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { never } from "../../../../adapters/async/never.ts";
import { SecretItems } from "../../../../adapters/http/grants/secret_items.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { FaultySecretStore } from "./faulty_secret_store.ts";

const signal = never();

test("what was read is what a write compares with, and what was not is read first", async () => {
  const store = new FaultySecretStore();
  const [one, other] = [new SecretItems(store), new SecretItems(store)];
  assertEquals(await one.write("a", "1", signal), true);
  assertEquals(await other.read("a", signal), "1");
  assertEquals(await one.write("a", "2", signal), true);
  assertEquals(await other.write("a", "3", signal), false);
  assertEquals(await other.read("a", signal), "2");
  assertEquals(await other.write("a", "3", signal), true);
  assertEquals(await one.write("a", null, signal), false);
  assertEquals(await other.write("a", null, signal), true);
  assertEquals(await other.write("a", null, signal), true);
  assertEquals(await other.write("a", "4", signal), true);
  assertEquals(await new SecretItems(store).read("a", signal), "4");
});

test("a write whose answer was lost is found out about", async () => {
  const store = new FaultySecretStore();
  const items = new SecretItems(store);
  store.faults.write.push("after");
  assertEquals(await items.write("a", "1", signal), true);
  store.faults.write.push("after");
  assertEquals(await items.write("a", null, signal), true);
  assertEquals(await items.read("a", signal), null);
});

test("a write that failed is tried once more", async () => {
  const store = new FaultySecretStore();
  const items = new SecretItems(store);
  store.faults.write.push("before");
  assertEquals(await items.write("a", "1", signal), true);
  assertEquals(await items.read("a", signal), "1");
  assertEquals(await items.write("a", "2", signal), true);
  store.faults.write.push("before", "before");
  const error = await assertRejects(() => items.write("a", "3", signal), EnterpriseError);
  assertEquals([error.code, error.reason], ["KEYRING_LOCKED", "secret-store"]);
  assertEquals(JSON.stringify([error, error.cause]).includes("s3cret"), false);
});

test("a write that failed does not undo what somebody else wrote since", async () => {
  const store = new FaultySecretStore();
  const items = new SecretItems(store);
  await items.write("a", "1", signal);
  await new SecretItems(store).write("a", "theirs", signal);
  store.faults.write.push("before");
  assertEquals(await items.write("a", "2", signal), false);
  // what was found there is not taken for one's own
  assertEquals(await items.write("a", "3", signal), false);
  assertEquals(await items.write("a", null, signal), false);
  assertEquals(await items.read("a", signal), "theirs");
});

test("a write whose outcome nobody could tell is recognized later, and only by its text", async () => {
  const store = new FaultySecretStore();
  const items = new SecretItems(store);
  await items.write("a", "1", signal);
  for (const next of ["3", null]) {
    store.faults.write.push("after");
    store.faults.read.push("before");
    await assertRejects(() => items.write("a", "2", signal), EnterpriseError);
    assertEquals(await items.write("a", next, signal), true);
    assertEquals(await items.read("a", signal), next);
  }
});

test("what was claimed though the store said otherwise can be taken back, and nothing else", async () => {
  const store = new FaultySecretStore();
  for (const theirs of [null, "theirs"]) {
    const items = new SecretItems(store);
    assertEquals(await items.read("a", signal), null);
    store.faults.write.push(theirs === null ? "after" : "before");
    store.faults.read.push("before");
    await assertRejects(() => items.write("a", "mine", signal), EnterpriseError);
    if (theirs !== null) await new SecretItems(store).write("a", theirs, signal);
    assertEquals(await items.write("a", null, signal), theirs === null);
    assertEquals(await new SecretItems(store).read("a", signal), theirs);
  }
});

test("a store that is silent is waited for no longer than its caller waits", async () => {
  const store = new FaultySecretStore();
  store.faults.read.push("silent");
  const error = await assertRejects(
    () => new SecretItems(store).read("a", AbortSignal.timeout(20)),
    EnterpriseError,
  );
  assertEquals(error.code, "KEYRING_LOCKED");
});
