/**
 * Hosts that share leases through a real Redis, as `createHost` is given them: one exchange for all of an account, none
 * for another one's, and what becomes of connections when Redis dies.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { MemorySecretStore } from "../../../adapters/http/grants/memory_secret_store.ts";
import { SharedGrantSource } from "../../../adapters/http/grants/shared_grant_source.ts";
import { openSharedLeases } from "../../../adapters/http/leases/shared_leases.ts";
import { RedisLeaseStore } from "../../../adapters/redis/mod.ts";
import { startEnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { counts, startDesk, whoami } from "../enterprise/servers/host.ts";
import { configurationOf } from "../enterprise/tokens/host.ts";
import { RedisServer } from "./server.ts";

test("hosts share the leases of an account, and never those of another one", async () => {
  await using bed = await startEnterpriseBed();
  await using redis = await RedisServer.start();
  const [provider] = configurationOf(bed).providers;
  assert(provider !== undefined);
  const secrets = new MemorySecretStore();
  const keys = [crypto.getRandomValues(new Uint8Array(32))];
  const hosts = await Promise.all([1, 2, 3].map(async () => {
    const client = await redis.connect();
    const store = new RedisLeaseStore({ client });
    const sharedLeases = await openSharedLeases({ store, keys, limitMs: 5_000 });
    const source = new SharedGrantSource({ store: secrets, provider });
    const host = await startDesk(bed, { source, sharedLeases, ownerFrom: "host" });
    return { ...host, client };
  }));
  const [alice, bob] = [await hosts[0]?.signIn("alice"), await hosts[1]?.signIn("bob")];
  assert(alice !== undefined && bob !== undefined);
  const seen = await Promise.all(
    hosts.flatMap(({ enterprise }) =>
      [alice, bob].map(async ({ user, workspace }) => {
        enterprise.openThread(user, { user, workspace });
        return await whoami(enterprise, user);
      })
    ),
  );
  assertEquals(seen.map(({ account }) => account), ["alice", "bob", "alice", "bob", "alice", "bob"]);
  assertEquals(new Set(seen.map(({ token }) => token)).size, 2);
  assertEquals([counts(bed).exchange, counts(bed).redemption], [2, 2]);
  await redis.kill();
  for (const { enterprise, clock } of hosts) {
    clock.shift = 310;
    for (const { user } of [alice, bob]) await whoami(enterprise, user);
  }
  assertEquals(counts(bed).exchange, 8);
  for (const { enterprise, client } of hosts) {
    await enterprise.close();
    client.close();
  }
});
