/**
 * The grants in a keyring keep the contract of all sources of grants.
 *
 * @module
 */

import * as lockfile from "@rushstack/node-core-library/lib/LockFile";
import { after } from "node:test";
import { GrantStore } from "../../../adapters/keyring/grant_store.ts";
import { createMemoryKeyring } from "../../../adapters/keyring/memory.ts";
import { testGrantSource } from "../../contracts/grant_source.ts";

const folders: string[] = [];

after(async () => {
  for (const folder of folders) await Deno.remove(folder, { recursive: true });
});

testGrantSource("in a keyring", async (count) => {
  const keyring = createMemoryKeyring();
  const folder = await Deno.makeTempDir({ prefix: "grants-" });
  folders.push(folder);
  const options = { keyring, folder, provider: "c".repeat(64), loadLock: () => Promise.resolve(lockfile) };
  return Array.from({ length: count }, () => new GrantStore(options));
});
