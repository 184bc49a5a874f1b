import { assert, assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import {
  fitRotated,
  grantEntry,
  isGrant,
  isInForce,
  isNextOf,
  markerFor,
  readItem,
  superseded,
} from "../../../adapters/keyring/grant_item.ts";
import { createMemoryKeyring } from "../../../adapters/keyring/memory.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { writeGrant } from "../../../core/enterprise/grant/record.ts";
import { KEY, OTHER_KEY, record } from "./records.ts";

test("an item is a grant, nothing, or told by its error", async () => {
  const { signal } = new AbortController();
  const keyring = createMemoryKeyring();
  assertEquals(await readItem(keyring, KEY, { signal }), null);
  await keyring.write(grantEntry(KEY), { secret: writeGrant(record("1")), signal });
  assertEquals(await readItem(keyring, KEY, { signal }), record("1"));
  await keyring.write(grantEntry(KEY), { secret: "[]", signal });
  const damaged = await readItem(keyring, KEY, { signal });
  assert(damaged instanceof EnterpriseError && damaged.code === "GRANT_MALFORMED");
  assertEquals([null, damaged, record("1")].map(isGrant), [false, false, true]);
});

test("only a rotation that does not fit loses its ID token, and none its refresh token", () => {
  const tokens = { idToken: "x".repeat(100), idTokenExpiresAt: 7 };
  assertEquals(fitRotated(record("1", tokens)), record("1", tokens));
  const big = record("1", { ...tokens, idToken: "x".repeat(2600) });
  assertEquals(fitRotated(big), record("1"));
  for (const one of [{ ...big, refreshToken: "y".repeat(2600) }, { ...big, refreshToken: null }]) {
    assertThrows(() => fitRotated(one), EnterpriseError, "2560");
  }
});

test("a marker is in force for exactly its account, generation and revision", () => {
  const marker = markerFor(KEY, record("1"));
  assert(isInForce(marker, marker));
  const others = [
    null,
    { ...marker, current: null },
    markerFor(OTHER_KEY, record("1")),
    markerFor(KEY, record("2")),
    markerFor(KEY, record("1", { revision: 1 })),
  ];
  for (const other of others) assert(!isInForce(other, marker));
});

test("a revision follows the one right before it, of the same sign-in", () => {
  const next = record("1", { revision: 3 });
  assert(isNextOf(record("1", { revision: 2 }), next));
  for (const stored of [null, superseded(), record("1", { revision: 3 }), record("2", { revision: 2 })]) {
    assert(!isNextOf(stored, next));
  }
});
