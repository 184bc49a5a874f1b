/**
 * What the keyring of each runtime is made of, as far as no keyring is needed for it. Registers the cases.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { test } from "node:test";
import type { Keyring } from "../../adapters/keyring/keyring.ts";
import type { KeyringSecrets } from "../../adapters/keyring/secrets.ts";

/** What a runtime offers. */
export interface SecretsCase {
  /** Creates the keyring of the operating system. */
  readonly createKeyring: () => Keyring;
  /** Opens what is kept, over a keyring in memory and this folder, or the user's own. */
  readonly openSecrets: (folder: string) => KeyringSecrets;
}

/** Registers the cases, each under `name`. */
export function testSecrets(name: string, { createKeyring, openSecrets }: SecretsCase): void {
  test(`${name}: the keyring is named after the system's`, () => {
    const expected: Readonly<Record<string, string>> = {
      linux: "Secret Service",
      darwin: "Keychain",
      win32: "Credential Manager",
    };
    assertEquals(createKeyring().describe(), expected[process.platform]);
  });

  test(`${name}: stores are told apart by real digests, and nothing is made before it is used`, async () => {
    const folder = `${await mkdtemp(`${tmpdir()}/secrets-`)}/state`;
    const secrets = openSecrets(folder);
    const client = { issuer: "https://idp.example", client: { clientId: "c" } };
    const store = await secrets.grants(client);
    assert(store === await secrets.grants(client));
    assertEquals(await store.marker(), null);
    assertEquals(secrets.backend, "memory");
    await rm(folder.replace(/\/state$/, ""), { recursive: true });
  });
}
