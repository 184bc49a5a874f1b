import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../../../adapters/http/transport/digest.ts";
import { MemoryGrantSource } from "../../../../../../adapters/http/grants/memory_grant_source.ts";
import { Accounts, type IssuedIdentity } from "../../../../../../adapters/mcp/host/enterprise/account.ts";
import { AccountGrants } from "../../../../../../adapters/mcp/host/enterprise/accounts/account_grants.ts";
import type { EnterpriseProvider } from "../../../../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../../../../core/enterprise/error.ts";
import { keyOf } from "../../../../http/fake_legs.ts";
import { ALICE, CONFIGURATION } from "../fake_servers.ts";

const [PROVIDER] = CONFIGURATION.providers as readonly [EnterpriseProvider];
const OTHER: EnterpriseProvider = { ...PROVIDER, name: "other", issuer: "https://other.example" };
const TOKENS = { refreshToken: "refresh-0", idToken: null, idTokenExpiresAt: null };
const accounts = new Accounts();

const signal = (): AbortSignal => AbortSignal.timeout(5_000);

function identityOf(changes: Partial<IssuedIdentity> = {}): IssuedIdentity {
  return { tokens: () => Promise.resolve(TOKENS), rotated: () => Promise.resolve(), ...changes };
}

function grants(): { readonly sources: AccountGrants; readonly asked: EnterpriseProvider[] } {
  const asked: EnterpriseProvider[] = [];
  const sources = new AccountGrants({
    digest: createDigest(),
    grants: (provider) => {
      asked.push(provider);
      return new MemoryGrantSource();
    },
  });
  return { sources, asked };
}

test("accounts share the host's grants, one source for each client of an identity provider", async () => {
  const { sources, asked } = grants();
  const all = [ALICE, { user: "bob", workspace: null }, null].map((account) =>
    sources.sourceOf(accounts.know(account, "sign-in"), { provider: PROVIDER, alone: true })
  );
  assertEquals([new Set(all).size, asked.length, all[0]?.owned], [1, 0, true]);
  await all[0]?.marker(signal());
  await all[1]?.marker(signal());
  sources.sourceOf(accounts.know(ALICE, "sign-in"), { provider: OTHER, alone: false });
  assertEquals(asked, [PROVIDER]);
});

test("supplied tokens are the grant of their account, and another generation once they were replaced", async () => {
  const { sources, asked } = grants();
  const identity = identityOf();
  const account = accounts.know({ ...ALICE, identity }, "sign-in");
  const source = sources.sourceOf(account, { provider: PROVIDER, alone: true });
  assertEquals(source.owned, false);
  const before = await source.marker(signal());
  assertEquals(before?.current, await keyOf());
  const record = await source.locked(async (locked) => await locked.read(await keyOf()), signal());
  assertEquals([record?.refreshToken, record?.user, record?.issuer], ["refresh-0", "alice", PROVIDER.issuer]);
  // whom the identity provider names is not the account's name: a renewed ID token is not compared with that
  assertEquals(record?.subject, "");
  sources.replaced(identity);
  const again = sources.sourceOf(account, { provider: PROVIDER, alone: true });
  const after = await again.marker(signal());
  assert(after !== null && after.generation !== before?.generation);
  assertEquals(asked, []);
});

test("supplied tokens are shown to nobody but who issued them", () => {
  const { sources } = grants();
  const supplied = (identity: IssuedIdentity, provider: EnterpriseProvider, alone: boolean): boolean =>
    !sources.sourceOf(accounts.know({ ...ALICE, identity }, "sign-in"), { provider, alone }).owned;
  const named = identityOf({ issuer: OTHER.issuer });
  assertEquals([supplied(named, PROVIDER, true), supplied(named, OTHER, false)], [false, true]);
  const client = identityOf({ issuer: OTHER.issuer, clientId: "another" });
  assertEquals(supplied(client, OTHER, true), false);
  // without a name: the one there is, and after that no other, also when it is the only one
  const unnamed = identityOf();
  assertEquals(supplied(unnamed, PROVIDER, false), false);
  assertEquals(supplied(unnamed, PROVIDER, true), true);
  assertEquals([supplied(unnamed, OTHER, true), supplied(unnamed, PROVIDER, false)], [false, true]);
});

test("an error of the program's is not shown", async () => {
  const { sources } = grants();
  const identity = identityOf({
    tokens: () => Promise.reject(new Error("a secret")),
    rotated: () => Promise.reject(new EnterpriseError("KEYRING_LOCKED", "Cannot store")),
  });
  const source = sources.sourceOf(accounts.know({ ...ALICE, identity }, "sign-in"), {
    provider: PROVIDER,
    alone: true,
  });
  const reading = (): Promise<unknown> =>
    source.locked(async (locked) => await locked.read(await keyOf()), signal());
  const error = await assertRejects(reading, EnterpriseError);
  assertEquals([error.code, error.reason], ["TEMPORARILY_UNAVAILABLE", "identity"]);
  assert(!`${error.stack}${JSON.stringify(error.cause)}`.includes("a secret"));
});
