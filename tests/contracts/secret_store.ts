/**
 * What every secret store does. Registers the cases for one implementation: an operator's own is tried with these.
 *
 * @module
 */

import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { SecretStore } from "../../core/ports/secret_store.ts";

/**
 * Registers the contract of the secret store port, each case under `name`. `open` gives the store; it may be shared.
 */
export function testSecretStore(name: string, open: () => Promise<SecretStore>): void {
  const { signal } = new AbortController();
  const fresh = (): string => `codex-mcp-contract-${crypto.randomUUID()}`;

  test(`${name}: what is not there is null, and only null is expected of it`, async () => {
    const store = await open();
    const one = fresh();
    assertEquals(await store.read(one, signal), null);
    assertEquals(await store.write(one, { text: "a", revision: "1" }, signal), null);
    assertEquals(await store.write(one, { text: null, revision: "1" }, signal), null);
    assertEquals(await store.read(one, signal), null);
  });

  test(`${name}: keeps, replaces and deletes what has the expected revision`, async () => {
    const store = await open();
    const one = fresh();
    const first = await store.write(one, { text: "a", revision: null }, signal);
    assert(first !== null);
    assertEquals(await store.read(one, signal), { text: "a", revision: first });
    assertEquals(await store.write(one, { text: "b", revision: null }, signal), null);
    const second = await store.write(one, { text: "b", revision: first }, signal);
    assert(second !== null);
    assertNotEquals(second, first);
    assertEquals(await store.write(one, { text: "c", revision: first }, signal), null);
    assertEquals(await store.write(one, { text: null, revision: first }, signal), null);
    assertEquals(await store.read(one, signal), { text: "b", revision: second });
    assertEquals(await store.write(one, { text: null, revision: second }, signal), second);
    assertEquals(await store.read(one, signal), null);
  });

  test(`${name}: the same text written again, or after it was deleted, has another revision`, async () => {
    const store = await open();
    const one = fresh();
    const first = await store.write(one, { text: "a", revision: null }, signal);
    const second = await store.write(one, { text: "a", revision: first }, signal);
    await store.write(one, { text: null, revision: second }, signal);
    const third = await store.write(one, { text: "a", revision: null }, signal);
    assertEquals(new Set([first, second, third, null]).size, 4);
    assertEquals(await store.write(one, { text: "b", revision: first }, signal), null);
  });

  test(`${name}: gives back exactly what was kept, 8 KiB and every character`, async () => {
    const store = await open();
    for (const text of ["x".repeat(8_192), `{"ü":"\\u0000 \u{1f511}\n'$HOME"}`, " "]) {
      const one = fresh();
      const revision = await store.write(one, { text, revision: null }, signal);
      assertEquals((await store.read(one, signal))?.text, text);
      await store.write(one, { text: null, revision }, signal);
    }
  });

  test(`${name}: of many who expect the same, one changes it`, async () => {
    const store = await open();
    const one = fresh();
    const change = (revision: string | null) =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) => store.write(one, { text: `${index}`, revision }, signal)),
      );
    const first = (await change(null)).filter((revision) => revision !== null);
    assertEquals(first.length, 1);
    const second = (await change(first[0] ?? null)).filter((revision) => revision !== null);
    assertEquals(second.length, 1);
    assertEquals((await store.read(one, signal))?.revision, second[0]);
  });

  test(`${name}: does nothing for a caller that gave up`, async () => {
    const store = await open();
    const one = fresh();
    await assertRejects(() => store.read(one, AbortSignal.abort()));
    await assertRejects(() => store.write(one, { text: "a", revision: null }, AbortSignal.abort()));
    assertEquals(await store.read(one, signal), null);
  });
}
