import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { type LeaseKey, LeaseSeal } from "../../../../adapters/http/leases/lease_seal.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { hexOf } from "../../../../core/enterprise/bytes.ts";

const LEASE = {
  id: "0b7e2f9c-1d52-4f37-9c3a-7d1f7e0a9b11",
  token: "access-token",
  receivedAt: 1_000,
  expiresAt: 1_300,
};
const PLACE = { binding: "account|https://mcp.example", generation: "01".repeat(16) };

function keyOf(seed: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: 32 }, (_, index) => index + seed & 255);
}

async function sealed(keys: readonly LeaseKey[], place: typeof PLACE = PLACE) {
  const seal = await LeaseSeal.create(keys);
  const [name = ""] = (await seal.names(place)).leases;
  const value = await seal.seal(LEASE, { ...place, name });
  assert(value !== null);
  return {
    seal,
    name,
    value,
    open: (changes: object) => seal.open(value, { ...place, name, index: 0, ...changes }),
  };
}

test("what was sealed is opened in its place, and in no other", async () => {
  const { open, seal } = await sealed([keyOf(1)]);
  assertEquals(await open({}), LEASE);
  const other = { ...PLACE, binding: "another" };
  const [name] = (await seal.names(other)).leases;
  assertEquals(await open({ name }), null);
  assertEquals(await open({ generation: "02".repeat(16) }), null);
  assertEquals(await open({ index: 1 }), null);
});

test("another key opens nothing, and has other names", async () => {
  const { value, name } = await sealed([keyOf(1)]);
  const other = await LeaseSeal.create([keyOf(2)]);
  assertEquals(await other.open(value, { ...PLACE, name, index: 0 }), null);
  assert(!(await other.names(PLACE)).leases.includes(name));
});

test("the first key seals, all of them open, and the claim is the same whatever their order", async () => {
  const before = await sealed([keyOf(1)]);
  const rotated = await LeaseSeal.create([keyOf(2), keyOf(1)]);
  const names = await rotated.names(PLACE);
  assertEquals(names.leases[1], before.name);
  assertEquals(await rotated.open(before.value, { ...PLACE, name: before.name, index: 1 }), LEASE);
  assertEquals(await rotated.open(before.value, { ...PLACE, name: before.name, index: 0 }), null);
  const reversed = await (await LeaseSeal.create([keyOf(1), keyOf(2)])).names(PLACE);
  assertEquals(reversed.claim, names.claim);
  assertEquals(reversed.leases, names.leases.toReversed());
});

test("names tell nothing, and differ by binding, generation and purpose", async () => {
  const seal = await LeaseSeal.create([keyOf(1)]);
  const places = [PLACE, { ...PLACE, binding: "b" }, { ...PLACE, generation: "02".repeat(16) }];
  const all = (await Promise.all(places.map((place) => seal.names(place)))).flatMap((names) => [
    ...names.leases,
    names.claim,
  ]);
  assertEquals(new Set(all).size, 6);
  for (const name of all) assert(/^[0-9a-f]{64}$/.test(name));
});

test("no two texts are the same, and none holds what was sealed", async () => {
  const { seal, name } = await sealed([keyOf(1)]);
  const texts = await Promise.all(
    Array.from({ length: 200 }, () => seal.seal(LEASE, { ...PLACE, name })),
  );
  assertEquals(new Set(texts.map((text) => text?.slice(0, 16))).size, 200); // the nonces
  for (const text of texts) assert(text !== null && /^[\w-]+$/.test(text) && !text.includes("access"));
});

test("a text that was changed anywhere, cut or lengthened is not opened", async () => {
  const { seal, name, value } = await sealed([keyOf(1)]);
  const at = { ...PLACE, name, index: 0 };
  for (let position = 0; position < value.length; position += 1) {
    const other = value[position] === "A" ? "B" : "A";
    const changed = value.slice(0, position) + other + value.slice(position + 1);
    assertEquals(await seal.open(changed, at), null, `at ${position}`);
  }
  for (const text of ["", "A", value.slice(0, -4), `${value}AAAA`, value.slice(0, 16), "=".repeat(9), "ü"]) {
    assertEquals(await seal.open(text, at), null, text);
  }
  assertEquals(await seal.open("A".repeat(70_000), at), null);
});

test("whatever a store gives is opened or refused, and never throws", async () => {
  const { seal, name } = await sealed([keyOf(1)]);
  const text = fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: "binary", maxLength: 200 }));
  await fc.assert(fc.asyncProperty(text, async (one) => {
    assertEquals(await seal.open(one, { ...PLACE, name, index: 0 }), null);
  }));
});

test("a lease that is too long is not sealed", async () => {
  const { seal, name } = await sealed([keyOf(1)]);
  assertEquals(await seal.seal({ ...LEASE, token: "x".repeat(40_000) }, { ...PLACE, name }), null);
});

test("a key is 32 bytes, or the same in base64 or base64url", async () => {
  const bytes = keyOf(240);
  const base64 = btoa(String.fromCharCode(...bytes));
  const url = base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const { value, name } = await sealed([bytes]);
  for (const key of [base64, url, `${base64}\n`]) {
    assertEquals(await (await LeaseSeal.create([key])).open(value, { ...PLACE, name, index: 0 }), LEASE);
  }
});

test("keys of another type are refused by name, and one by one", async () => {
  const lists: readonly unknown[] = [
    undefined,
    null,
    keyOf(1),
    btoa(String.fromCharCode(...keyOf(1))),
    { length: 1, 0: keyOf(1) },
    ...[undefined, null, 1, {}, [...keyOf(1)], keyOf(1).buffer, new DataView(keyOf(1).buffer)].map((
      key,
    ) => [key]),
    [new Uint16Array(32).map((_, index) => index * 256)],
    [new Uint8ClampedArray(32).map((_, index) => index)],
    [keyOf(1), undefined, "short"],
  ];
  for (const keys of lists) {
    const error = await assertRejects(() => LeaseSeal.create(keys as readonly LeaseKey[]), EnterpriseError);
    assertEquals([error.code, error.reason], ["CONFIGURATION_REFUSED", "lease-key"]);
  }
  await LeaseSeal.create([Buffer.from(keyOf(1))]); // what Node reads is a Uint8Array too
});

test("a key that is none is refused by name, without showing it", async () => {
  const bad: readonly LeaseKey[] = ["", "secret!", hexOf(keyOf(1)), keyOf(1).slice(1), new Uint8Array(32)];
  for (const keys of [[], ...bad.map((key) => [key]), [keyOf(1), "short"]]) {
    const error = await assertRejects(() => LeaseSeal.create(keys), EnterpriseError);
    assertEquals([error.code, error.reason], ["CONFIGURATION_REFUSED", "lease-key"]);
    assert(!error.message.includes("secret") && !error.message.includes(hexOf(keyOf(1))));
  }
});
