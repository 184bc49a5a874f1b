import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { factsOfProvider, type ProviderFacts } from "../../../../adapters/cli/enterprise/sign_in_facts.ts";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import type { GrantSource } from "../../../../adapters/http/grants/grant_source.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { commitSignIn, signOut } from "../../../../adapters/http/grants/store_sign_in.ts";
import type { SignedIn } from "../../../../adapters/http/sign_in/id_token.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";
import { createFakeProvider, ISSUER, NOW, providerOf } from "../../http/sign_in/fake_provider.ts";

const digest = createDigest();
const { signal } = new AbortController();

function facts(grants: GrantSource): Promise<ProviderFacts> {
  return factsOfProvider(providerOf(), { digest, grants: () => Promise.resolve(grants) });
}

async function signedIn(refreshToken: string | null): Promise<SignedIn> {
  return {
    identity: {
      issuer: ISSUER,
      subject: "user-1",
      audiences: ["client-1"],
      authorizedParty: null,
      expiresAt: NOW,
    },
    owner: { user: "user-1", workspace: "acme" },
    name: "me",
    idToken: await (await createFakeProvider()).idToken(),
    refreshToken,
  };
}

test("nobody, somebody, nobody any more", async () => {
  const grants = new MemoryGrantSource();
  const nothing = {
    keyring: "open",
    marker: "readable",
    signIn: null,
    account: null,
    trouble: null,
  } as const;
  assertEquals(await facts(grants), { ...nothing, gone: "not-signed-in" });
  const options = { provider: providerOf(), began: null, digest, now: NOW, signal };
  await commitSignIn(grants, await signedIn("refresh-1"), options);
  const found = await facts(grants);
  assertEquals(found.signIn, { hasRefreshToken: true, idTokenExpiresAt: NOW });
  assertEquals(found.account, {
    name: "me@acme.example",
    user: "user-1",
    workspace: "acme",
    signedInAt: NOW,
  });
  assert(!JSON.stringify(found).includes("refresh-1"));
  await grants.locked(async (held) => await held.remove((await held.marker())?.current ?? ""), signal);
  assertEquals((await facts(grants)).gone, "deleted");
  await signOut(grants, signal);
  assertEquals(await facts(grants), { ...nothing, gone: "signed-out" });
});

test("what cannot be read is told apart", async () => {
  const grants = new MemoryGrantSource();
  const failing = (code: EnterpriseErrorCode): Promise<ProviderFacts> =>
    facts({
      owned: true,
      marker: () => grants.marker(),
      locked: () => Promise.reject(new EnterpriseError(code, "why")),
    });
  const told = async (code: EnterpriseErrorCode): Promise<readonly unknown[]> => {
    const { keyring, marker, signIn, trouble } = await failing(code);
    return [keyring, marker, signIn, trouble?.message];
  };
  assertEquals(await told("KEYRING_ABSENT"), ["absent", "readable", null, "why"]);
  assertEquals(await told("KEYRING_LOCKED"), ["locked", "readable", null, "why"]);
  assertEquals(await told("KEYRING_UNRELIABLE"), ["locked", "readable", null, "why"]);
  assertEquals(await told("MARKER_MALFORMED"), ["open", "unreadable", null, "why"]);
  assertEquals(await told("GRANT_MALFORMED"), ["open", "readable", null, "why"]);
  assertEquals((await assertRejects(() => failing("LOCK_TIMEOUT"), EnterpriseError)).code, "LOCK_TIMEOUT");
});

test("a damaged marker is unreadable, and the keyring is looked at all the same", async () => {
  const malformed = (): Promise<never> => Promise.reject(new EnterpriseError("MARKER_MALFORMED", "x"));
  const grants = new MemoryGrantSource();
  const one = await facts({ owned: true, marker: malformed, locked: (work, at) => grants.locked(work, at) });
  assertEquals([one.marker, one.keyring], ["unreadable", "open"]);
  const absent = (): Promise<never> => Promise.reject(new EnterpriseError("KEYRING_ABSENT", "x"));
  assertEquals((await facts({ owned: true, marker: malformed, locked: absent })).keyring, "absent");
});
