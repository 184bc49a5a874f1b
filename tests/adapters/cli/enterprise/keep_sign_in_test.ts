import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { keepSignIn } from "../../../../adapters/cli/enterprise/keep_sign_in.ts";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import type { GrantSource } from "../../../../adapters/http/grants/grant_source.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import {
  readBeforeSignIn,
  type SignInBefore,
  signOut,
} from "../../../../adapters/http/grants/store_sign_in.ts";
import type { SignedIn } from "../../../../adapters/http/sign_in/id_token.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import {
  createFakeProvider,
  type FakeProvider,
  formOf,
  ISSUER,
  NOW,
} from "../../http/sign_in/fake_provider.ts";

const { signal } = new AbortController();
const NOBODY: SignInBefore = { current: null, record: null };

function signedIn(user: string, refreshToken: string | null = `refresh-${user}`): SignedIn {
  const identity = {
    issuer: ISSUER,
    subject: user,
    audiences: ["client-1"],
    authorizedParty: null,
    expiresAt: NOW + 600,
  };
  return { identity, owner: { user, workspace: null }, name: user, idToken: `id-${user}`, refreshToken };
}

interface Stage {
  readonly fake: FakeProvider;
  readonly keep: (
    grants: GrantSource,
    kept: SignedIn,
    others: { readonly before: SignInBefore; readonly own?: boolean },
  ) => ReturnType<typeof keepSignIn>;
  /** The tokens that the provider was asked to revoke. */
  readonly revoked: () => readonly (string | undefined)[];
}

async function stage(): Promise<Stage> {
  const fake = await createFakeProvider({ revocationEndpoint: `${ISSUER}/revoke` });
  fake.answers = [[200, {}]];
  const { http, readSecret, metadata, provider, clock } = fake.context;
  const parts = {
    http,
    readSecret,
    clock,
    digest: createDigest(),
    discover: () => Promise.resolve(metadata),
  };
  return {
    fake,
    keep: (grants, kept, { before, own = true }) =>
      keepSignIn(grants, kept, { parts, provider, before, own }),
    revoked: () => fake.requests.splice(0).map((request) => formOf(request)["token"]),
  };
}

/** A keyring that locks before it stores. */
function locking(grants: MemoryGrantSource): GrantSource {
  const error = new EnterpriseError("KEYRING_LOCKED", "Cannot use the keyring: it is locked");
  return { owned: true, marker: () => grants.marker(), locked: () => Promise.reject(error) };
}

test("a sign-in that cannot be stored is revoked, and why it was not stored is said", async () => {
  const { fake, keep, revoked } = await stage();
  const closed = locking(new MemoryGrantSource());
  const code = async (kept: SignedIn, own = true): Promise<string> =>
    (await assertRejects(() => keep(closed, kept, { before: NOBODY, own }), EnterpriseError)).code;
  assertEquals([await code(signedIn("a")), revoked()], ["KEYRING_LOCKED", ["refresh-a"]]);
  assertEquals([await code(signedIn("a", null)), revoked()], ["KEYRING_LOCKED", []]);
  // one that was handed in is its owner's
  assertEquals([await code(signedIn("a"), false), revoked()], ["KEYRING_LOCKED", []]);
  fake.answers = [[503, {}]];
  assertEquals([await code(signedIn("a")), revoked()], ["KEYRING_LOCKED", ["refresh-a"]]);
});

test("a sign-in of the same account that is in force is not revoked along with it", async () => {
  const { keep, revoked } = await stage();
  const grants = new MemoryGrantSource();
  await keep(grants, signedIn("a"), { before: NOBODY });
  const late = async (user: string): Promise<string> =>
    (await assertRejects(() => keep(grants, signedIn(user), { before: NOBODY }), EnterpriseError)).code;
  assertEquals([await late("a"), revoked()], ["SUPERSEDED", []]);
  assertEquals([await late("b"), revoked()], ["SUPERSEDED", ["refresh-b"]]);
  // a sign-out came in between: nothing is to be left
  await signOut(grants, signal);
  assertEquals([await late("a"), revoked()], ["SUPERSEDED", ["refresh-a"]]);
});

test("a sign-in of another account stays, and is named", async () => {
  const { keep, revoked } = await stage();
  const grants = new MemoryGrantSource();
  const other = async (user: string, changes: Partial<SignInBefore> = {}): Promise<string | null> => {
    const before = await readBeforeSignIn(grants, { probe: "0".repeat(64), signal });
    return (await keep(grants, signedIn(user), { before: { ...before, ...changes } })).other;
  };
  assertEquals(await other("a"), null);
  assertEquals(await other("a"), null);
  assertEquals(await other("b"), "The sign-in of a stays in the keyring, and is not used.");
  assertEquals(
    await other("a", { record: null }),
    "The sign-in of another account stays in the keyring, and is not used.",
  );
  await signOut(grants, signal);
  assertEquals([await other("b"), revoked()], [null, []]);
});
