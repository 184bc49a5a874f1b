import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { GrantStore } from "../../../../adapters/keyring/grant_store.ts";
import { grantKey, providerKey } from "../../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../../core/enterprise/grant/record.ts";
import { createFileKeyring } from "../../../fixtures/enterprise_cli/file_keyring.ts";
import { EnterprisePlace } from "../../../fixtures/enterprise_cli/place.ts";
import { loadLock } from "../../keyring/records.ts";
import { MANY, POLICY } from "../enterprise/policy.ts";

const limit = { timeout: 120_000 };

test("with nothing stored there is nothing to do", limit, async () => {
  await using place = await EnterprisePlace.create(POLICY);
  assertEquals(await place.run(["logout"]), {
    code: 0,
    stdout: "Nobody is signed in at https://idp.invalid.\n",
    stderr: "",
  });
  const { code, stdout } = await place.run(["logout", "--json"]);
  assertEquals([code, JSON.parse(stdout)], [0, {
    provider: "default",
    signedOut: false,
    revoked: false,
    undone: [],
  }]);
});

test("with nothing configured neither", limit, async () => {
  await using place = await EnterprisePlace.create("");
  const { code, stderr } = await place.run(["logout"]);
  assertEquals([code, stderr], [0, ""]);
  const { code: json, stdout } = await place.run(["logout", "--json"]);
  assertEquals([json, JSON.parse(stdout).provider], [0, null]);
  await place.configure(MANY);
  assertEquals((await place.run(["logout"])).code, 2);
  await place.configure("[mcp_enterprise_managed_auth.idp]\n");
  const { code: refused, stderr: why } = await place.run(["logout"]);
  assertEquals(refused, 3);
  assertMatch(why, /CONFIGURATION_REFUSED: .*issuer/);
});

/** Stores a sign-in in the place, as `codex-mcp login` would. There is nothing in it that could be revoked. */
async function signIn(place: EnterprisePlace): Promise<GrantStore> {
  const { environment: { TEST_KEYRING = "", XDG_STATE_HOME } } = place;
  const at = { issuer: "https://idp.invalid", clientId: "codex" };
  const owner = { user: "alice", workspace: null };
  const store = new GrantStore({
    keyring: createFileKeyring(TEST_KEYRING),
    folder: `${XDG_STATE_HOME}/codex-mcp`,
    provider: await providerKey(at, createDigest()),
    loadLock,
  });
  const record: GrantRecord = {
    ...at,
    ...owner,
    subject: "alice",
    generation: "01".repeat(16),
    revision: 0,
    refreshToken: null,
    idToken: "s3cret",
    idTokenExpiresAt: 4_000_000_000,
    signedInAt: 0,
    others: {},
  };
  const key = await grantKey({ owner, ...at }, createDigest());
  await store.locked((grants) => grants.write(key, record), AbortSignal.timeout(20_000));
  return store;
}

test(
  "a locked keyring keeps nobody signed in, and what is left in it is told and deleted later",
  limit,
  async () => {
    await using place = await EnterprisePlace.create(POLICY);
    const store = await signIn(place);
    assertEquals((await place.run(["status"])).stdout.includes("alice"), true);
    const { items } = place.keyring;
    for (const [mode, code] of [["locked", "KEYRING_LOCKED"], ["absent", "KEYRING_ABSENT"]] as const) {
      place.keyring = { mode, items };
      const out = await place.run(["logout"]);
      assertEquals(out.code, 5, out.stderr);
      const stdout = mode === "locked" ? "Signed out" : "Nobody is signed in";
      assertStringIncludes(out.stdout, `${stdout} at https://idp.invalid.`);
      assertMatch(out.stderr, /^The keyring has not deleted the sign-in\. It is void all the same\.$/m);
      assertMatch(out.stderr, new RegExp(`^codex-mcp: ${code}: Cannot .+: codex-mcp logout$`, "m"));
      assertEquals([(await store.marker())?.current, place.keyring.items], [null, items]);
    }
    place.keyring = { mode: "open", items };
    assertEquals((await place.run(["status"])).stdout.includes("alice"), false);
    const out = await place.run(["logout", "--json"]);
    assertEquals([out.code, JSON.parse(out.stdout).signedOut, place.keyring.items], [0, true, {}]);
    assertEquals((await store.marker())?.voided, undefined);
    await signIn(place);
    place.keyring = { ...place.keyring, mode: "locked" };
    const { code, stdout } = await place.run(["logout", "--json"]);
    const { signedOut, undone } = JSON.parse(stdout);
    assertEquals([code, signedOut, undone.length], [5, true, 4]);
  },
);
