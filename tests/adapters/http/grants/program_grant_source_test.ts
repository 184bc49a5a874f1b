import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import {
  type AccountTokens,
  ProgramGrantSource,
} from "../../../../adapters/http/grants/program_grant_source.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { rotateGrant } from "../../../../core/enterprise/grant/record.ts";

const KEY = "a".repeat(64);
const signal = new AbortController().signal;

function create(): {
  source: ProgramGrantSource;
  rotated: string[];
  set: (tokens: AccountTokens | null) => void;
} {
  let tokens: AccountTokens | null = { refreshToken: "r0", idToken: null, idTokenExpiresAt: null };
  const rotated: string[] = [];
  let count = 0;
  const source = new ProgramGrantSource({
    identity: {
      tokens: () => Promise.resolve(tokens),
      rotated: (token) => {
        rotated.push(token);
        tokens = { refreshToken: token, idToken: null, idTokenExpiresAt: null };
        return Promise.resolve();
      },
    },
    key: KEY,
    subject: {
      issuer: "https://idp.example",
      clientId: "codex",
      user: "alice",
      workspace: null,
      subject: "alice",
    },
    newGeneration: () => String(count += 1).padStart(32, "0"),
  });
  return { source, rotated, set: (next) => void (tokens = next) };
}

test("a rotated token is handed back, a renewed ID token kept here, and nothing is deleted", async () => {
  const { source, rotated, set } = create();
  assertEquals(source.owned, false);
  await source.locked(async (grants) => {
    const record = await grants.read(KEY);
    assert(record !== null);
    assertEquals([record.refreshToken, record.revision], ["r0", 0]);
    await grants.write(
      KEY,
      rotateGrant(record, { refreshToken: "r1", idToken: "i1", idTokenExpiresAt: 100 }),
    );
    assertEquals(await grants.remove(KEY), false);
    await grants.signOut("f".repeat(32));
    const ended = await grants.endSignIn({ key: null, generation: "f".repeat(32) });
    assertEquals(ended, { key: null, records: [], deleted: false, fault: null });
  }, signal);
  assertEquals(rotated, ["r1"]);
  assertEquals((await source.marker()).revision, 1);
  const again = await source.locked((grants) => grants.read(KEY), signal);
  assertEquals([again?.refreshToken, again?.idToken, again?.revision], ["r1", "i1", 1]);
  set({ refreshToken: "r2", idToken: "i2", idTokenExpiresAt: 200 });
  assertEquals((await source.locked((grants) => grants.read(KEY), signal))?.idToken, "i2");
  assertEquals(await source.locked((grants) => grants.read("b".repeat(64)), signal), null);
});

test("a replaced identity is a new generation, and one that is gone is none", async () => {
  const { source, set } = create();
  const { generation } = await source.marker();
  source.replaced();
  assert((await source.marker()).generation !== generation);
  set(null);
  assertEquals(await source.locked((grants) => grants.read(KEY), signal), null);
  const error = await assertRejects(
    () => source.locked(() => Promise.resolve(), AbortSignal.abort()),
    EnterpriseError,
  );
  assertEquals(error.code, "LOCK_TIMEOUT");
});
