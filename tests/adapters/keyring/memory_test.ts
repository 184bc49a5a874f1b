import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createMemoryKeyring } from "../../../adapters/keyring/memory.ts";
import { testKeyring } from "../../contracts/keyring.ts";

testKeyring("memory", { open: () => Promise.resolve(createMemoryKeyring()), backend: "memory" });

test("two keyrings in memory know nothing of each other", async () => {
  const { signal } = new AbortController();
  const entry = { service: "s", account: "a" };
  const one = createMemoryKeyring();
  await one.write(entry, { secret: "x", signal });
  assertEquals(await createMemoryKeyring().read(entry, signal), null);
});
