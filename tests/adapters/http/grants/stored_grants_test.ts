import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { never } from "../../../../adapters/async/never.ts";
import { SecretItems } from "../../../../adapters/http/grants/secret_items.ts";
import { overtaken, StoredGrants } from "../../../../adapters/http/grants/stored_grants.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { recordOf } from "../fake_legs.ts";
import { FaultySecretStore } from "./faulty_secret_store.ts";

const KEYS = ["a", "b", "c"].map((letter) => letter.repeat(64));
const [KEY = "", OTHER = "", THIRD = ""] = KEYS;
const MARKER = { current: KEY, generation: "01".repeat(16), revision: 0 };

function open(store: FaultySecretStore = new FaultySecretStore()) {
  return { store, grants: new StoredGrants(new SecretItems(store), "marker") };
}

test("marker and grants are read as they were written", async () => {
  const { grants } = open();
  assertEquals([await grants.marker(never()), await grants.read(KEY, never())], [null, null]);
  await grants.writeMarker(MARKER);
  await grants.write(KEY, recordOf());
  assertEquals(await grants.marker(never()), MARKER);
  assertEquals(await grants.read(KEY, never()), recordOf());
  assertEquals([await grants.has(KEY, never()), await grants.has(OTHER, never())], [true, false]);
  await grants.delete(KEY);
  assertEquals(await grants.has(KEY, never()), false);
});

test("a damaged marker is one for those who go on with it, and an error for the others", async () => {
  const { store, grants } = open();
  await store.write("marker", { text: "{", revision: null }, never());
  assertEquals(await grants.markerBefore(never()), "damaged");
  assertEquals((await assertRejects(() => grants.marker(never()), EnterpriseError)).code, "MARKER_MALFORMED");
  store.faults.read.push("before");
  await assertRejects(() => grants.markerBefore(never()), EnterpriseError);
});

test("what somebody else changed is not written over", async () => {
  const { store, grants } = open();
  await grants.write(KEY, recordOf());
  const other = open(store).grants;
  await other.read(KEY, never());
  await other.write(KEY, recordOf({ refreshToken: "theirs" }));
  const error = await assertRejects(() => grants.write(KEY, recordOf()), EnterpriseError);
  assertEquals([error.code, error.code], [overtaken().code, "SUPERSEDED"]);
});

test("grants are deleted whatever they are, and those that are left are named", async () => {
  const { store, grants } = open();
  for (const key of KEYS) await grants.write(key, recordOf({ refreshToken: key }));
  const damaged = await store.read(`codex-mcp-grant-${KEY}`, never());
  await store.write(`codex-mcp-grant-${KEY}`, { text: "{", revision: damaged?.revision ?? null }, never());
  store.faults.write.push(null, "before", "before");
  const first = await grants.deleteAll(KEYS);
  assertEquals([first.deleted, first.left, first.fault?.code], [true, [OTHER, THIRD], "KEYRING_LOCKED"]);
  const second = await grants.deleteAll([KEY, ...first.left]);
  assertEquals(second.records.map(({ refreshToken }) => refreshToken), [OTHER, THIRD]);
  assertEquals([second.deleted, second.left, second.fault], [true, [], null]);
});
