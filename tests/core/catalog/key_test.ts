import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { test } from "node:test";
import {
  type CatalogKey,
  catalogKey,
  type CatalogSubject,
  isCatalogKey,
  type OrdinarySubject,
} from "../../../core/catalog/key.ts";
import type { DigestPort } from "../../../core/ports/digest.ts";
import { SHA256 as digest } from "../enterprise/tokens.ts";

const SUBJECT: OrdinarySubject = {
  kind: "stdio",
  configuration: "{}",
  credentials: ["one", null],
  surroundings: ["client"],
};

test("the key is a digest, the same for the same server", async () => {
  const key = await catalogKey(SUBJECT, digest);
  assert(key !== null && /^[0-9a-f]{64}$/.test(key));
  assertEquals(await catalogKey(structuredClone(SUBJECT), digest), key);
});

test("whatever the tools may depend on makes another key", async () => {
  const others: readonly Partial<OrdinarySubject>[] = [
    {},
    { kind: "http" },
    { configuration: "{ }" },
    { credentials: ["two", null] },
    { credentials: ["one", ""] },
    { credentials: ["one"] },
    { credentials: [null, "one"] },
    { credentials: ["one", null, null] },
    { credentials: [] },
    { credentials: ["one", null, "client"], surroundings: [] },
    { surroundings: [] },
    { surroundings: [null] },
    { surroundings: ["cli", "ent"] },
    { configuration: "{}one" },
  ];
  const keys = await Promise.all(others.map((other) => catalogKey({ ...SUBJECT, ...other }, digest)));
  assertEquals(new Set(keys).size, others.length);
});

test("an enterprise server has no key, by type and by value, and nothing of it is digested", async () => {
  let digests = 0;
  const counting: DigestPort = { sha256: (bytes) => (digests++, digest.sha256(bytes)) };
  const none: null = await catalogKey({ kind: "enterprise" }, counting); // does not compile where it may be a key
  const smuggled = { ...SUBJECT, kind: "enterprise" } as CatalogSubject;
  assertEquals([none, await catalogKey(smuggled, counting), digests], [null, null, 0]);
  const unknown = { ...SUBJECT, kind: "other" } as unknown as CatalogSubject;
  assertEquals(await catalogKey(unknown, counting), null);
});

test("a key cannot be made of a text by accident", () => {
  const anyTextIsKey: string extends CatalogKey ? true : false = false; // does not compile when it is one
  assertEquals([anyTextIsKey, isCatalogKey("0".repeat(64))], [false, true]);
  for (
    const text of [
      "",
      "0".repeat(63),
      "G".repeat(64),
      "A".repeat(64),
      `${"0".repeat(64)}\n`,
      "../".repeat(20),
    ]
  ) {
    assertEquals(isCatalogKey(text), false, text);
  }
});

test("a digest that is none gives no key", async () => {
  for (const size of [0, 16, 31, 33]) {
    const short: DigestPort = { sha256: () => Promise.resolve(new Uint8Array(size)) };
    assertEquals(await catalogKey(SUBJECT, short), null);
  }
});

test("a credential is digested apart from the rest", async () => {
  const seen: string[] = [];
  const listening: DigestPort = {
    sha256: (bytes) => {
      seen.push(new TextDecoder().decode(bytes));
      return digest.sha256(bytes);
    },
  };
  await catalogKey({ ...SUBJECT, credentials: ["hunter2"] }, listening);
  assertEquals(seen.map((text) => text.includes("hunter2")), [true, false]);
  assertNotEquals(seen[1]?.includes("client"), true, "surroundings are hexadecimal");
});
