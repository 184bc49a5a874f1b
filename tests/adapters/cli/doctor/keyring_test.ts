import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { test } from "node:test";
import { checkKeyring } from "../../../../adapters/cli/doctor/keyring.ts";
import type { SecretStore } from "../../../../adapters/cli/program/keyring_secrets.ts";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import type { GrantSource } from "../../../../adapters/http/grants/grant_source.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { keyringError } from "../../../../adapters/keyring/native.ts";
import { noSignal } from "../../http/answers.ts";
import { recordOf } from "../../http/fake_legs.ts";
import { PROVIDER } from "../../http/parties.ts";

/** Looks at a keyring that answers a read so. */
async function look(secret: SecretStore["secret"], grants: GrantSource = new MemoryGrantSource()) {
  const source = (): Promise<GrantSource> => Promise.resolve(grants);
  const store: SecretStore = { backend: "Secret Service", grants: source, secret };
  return await checkKeyring([PROVIDER], {
    openSecrets: () => Promise.resolve(store),
    grants: source,
    digest: createDigest(),
    signal: noSignal(),
  });
}

test("one that can be read is named, with whose sign-in it holds", async () => {
  const nothing = (): Promise<null> => Promise.resolve(null);
  assertEquals(await look(nothing), {
    id: "keyring",
    status: "ok",
    found: "the Secret Service can be read, and holds no sign-in",
  });
  const grants = new MemoryGrantSource();
  await grants.locked((held) => held.write("key", recordOf()), noSignal());
  assertMatch((await look(nothing, grants)).found, /holds the sign-in at default$/);
});

test("absent, locked and silent are told apart, each with its fix", async () => {
  const rows = [
    ["no-service", "KEYRING_ABSENT", /^start it/],
    ["locked", "KEYRING_LOCKED", /^unlock it/],
    ["silent", "KEYRING_LOCKED", /^unlock it or start it anew/],
  ] as const;
  for (const [reason, code, fix] of rows) {
    const finding = await look(() => Promise.reject(keyringError("Secret Service", reason)));
    assertEquals([finding.status, finding.code], ["failed", code]);
    assertMatch(finding.fix ?? "", fix);
  }
});

test("a sign-in that cannot be read is a keyring that cannot", async () => {
  const grants = new MemoryGrantSource();
  await grants.locked((held) => held.write("key", recordOf()), noSignal());
  const locked: GrantSource = {
    owned: true,
    marker: () => grants.marker(),
    locked: () => Promise.reject(keyringError("Secret Service", "locked")),
  };
  assertEquals((await look(() => Promise.resolve(null), locked)).code, "KEYRING_LOCKED");
});

test("a bug is no finding", async () => {
  await assertRejects(() => look(() => Promise.reject(new RangeError("a bug"))), RangeError);
});
