/**
 * What every keyring does. Registers the cases for one implementation.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { Keyring, KeyringName } from "../../adapters/keyring/keyring.ts";
import { EnterpriseError } from "../../core/enterprise/error.ts";
import type { KeyringEntry } from "../../core/ports/keyring.ts";

/** A keyring to try, and what it calls itself. */
export interface KeyringCase {
  /** Opens it, empty. */
  readonly open: () => Promise<Keyring>;
  /** Its name. */
  readonly backend: KeyringName;
}

/** Registers the contract of the keyring port, each case under `name`. */
export function testKeyring(name: string, { open, backend }: KeyringCase): void {
  const { signal } = new AbortController();
  let count = 0;
  const fresh = (): KeyringEntry => ({ service: "codex-mcp-contract", account: `${name} ${count++}` });

  test(`${name}: says what it is`, async () => {
    assertEquals((await open()).describe(), backend);
  });

  test(`${name}: what is not there is null, and cannot be deleted`, async () => {
    const keyring = await open();
    const entry = fresh();
    assertEquals(await keyring.read(entry, signal), null);
    assertEquals(await keyring.delete(entry, signal), false);
  });

  test(`${name}: keeps, replaces and deletes`, async () => {
    const keyring = await open();
    const entry = fresh();
    await keyring.write(entry, { secret: "one", signal });
    assertEquals(await keyring.read(entry, signal), "one");
    await keyring.write(entry, { secret: "two", signal });
    assertEquals(await keyring.read(entry, signal), "two");
    assertEquals(await keyring.delete(entry, signal), true);
    assertEquals(await keyring.read(entry, signal), null);
    assertEquals(await keyring.delete(entry, signal), false);
    assertEquals(keyring.unsettled(), null);
  });

  test(`${name}: gives back exactly what was stored, 2,560 bytes and every character`, async () => {
    const keyring = await open();
    const entry = fresh();
    for (const secret of ["x".repeat(2560), `{"ü":"\\u0000 \u{1f511}\n'$HOME"}`, "ö".repeat(1280)]) {
      await keyring.write(entry, { secret, signal });
      assertEquals(await keyring.read(entry, signal), secret);
    }
    assertEquals(await keyring.delete(entry, signal), true);
  });

  test(`${name}: service and account together name an item`, async () => {
    const keyring = await open();
    const entry = fresh();
    const other = { ...entry, service: `${entry.service}-2` };
    await keyring.write(entry, { secret: "one", signal });
    assertEquals(await keyring.read(other, signal), null);
    await keyring.write(other, { secret: "two", signal });
    assertEquals(await keyring.read(entry, signal), "one");
    assertEquals(await keyring.delete(entry, signal), true);
    assertEquals(await keyring.read(other, signal), "two");
    assertEquals(await keyring.delete(other, signal), true);
  });

  test(`${name}: does nothing for a caller that gave up`, async () => {
    const keyring = await open();
    const entry = fresh();
    const given = AbortSignal.abort();
    const attempts = [
      () => keyring.read(entry, given),
      () => keyring.write(entry, { secret: "late", signal: given }),
      () => keyring.delete(entry, given),
    ];
    for (const attempt of attempts) {
      const error = await assertRejects(attempt, EnterpriseError);
      assertEquals([error.code, error.reason], ["KEYRING_LOCKED", "silent"]);
    }
    assertEquals(await keyring.read(entry, signal), null);
  });
}
