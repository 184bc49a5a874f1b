import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { failureOf, keyOf, recordOf, startFakeHost, store, stored, USE } from "../fake_legs.ts";

const DOUBT = failureOf("token-exchange", "invalid_grant");

test("only a plain refresh's own invalid_grant deletes", async () => {
  const rows = [
    [failureOf("token-exchange", "invalid_grant"), null, "SIGN_IN_REQUIRED", "signed-out"],
    [failureOf("token-exchange", "invalid_client", 401), "01".repeat(16), "ASSERTION_REFUSED", "unavailable"],
    [failureOf("token-exchange", null, 503), "01".repeat(16), "ASSERTION_REFUSED", "unavailable"],
    [null, "01".repeat(16), "ASSERTION_REFUSED", "identity-refused"],
  ] as const;
  for (const [refresh, generation, code, kind] of rows) {
    const host = await startFakeHost();
    host.legs.failures.exchange.push(DOUBT, DOUBT);
    if (refresh !== null) host.legs.failures.refresh.push(refresh);
    const error = await assertRejects(() => host.tokens.token(USE), EnterpriseError);
    await host.tokens.idle();
    assertEquals([error.code, (await stored(host.source))?.generation ?? null], [code, generation]);
    assertEquals(host.tokens.status("notes").kind, kind);
  }
});

test("a sign-out deletes what it found: a sign-in that comes after it stays", async () => {
  const host = await startFakeHost();
  await host.tokens.token(USE);
  const fresh = recordOf({ generation: "02".repeat(16) });
  const { revoke } = host.legs;
  host.legs.revoke = async (provider, options) => {
    const answer = await revoke(provider, options);
    queueMicrotask(() => void store(host.source, fresh));
    return answer;
  };
  await host.tokens.signOut("default");
  await host.tokens.idle();
  assertEquals((await stored(host.source))?.generation, fresh.generation);
  assertEquals((await host.source.marker())?.generation, fresh.generation);
});

test("a sign-out leaves another account's marker alone", async () => {
  const host = await startFakeHost({ ownerFrom: "host" });
  await host.tokens.setAccount({ user: "alice", workspace: null });
  await host.source.locked(
    (grants) => grants.write("f".repeat(64), recordOf({ generation: "02".repeat(16) })),
    AbortSignal.timeout(5_000),
  );
  await host.tokens.signOut("default");
  assertEquals([await stored(host.source), (await host.source.marker())?.current], [null, "f".repeat(64)]);
});

test("a sign-in that cannot be stored is no sign-in", async () => {
  const host = await startFakeHost();
  await host.tokens.token(USE);
  const key = await keyOf();
  const locked = host.source.locked.bind(host.source);
  const unreliable = new EnterpriseError("KEYRING_UNRELIABLE", "Cannot store");
  host.source.locked = (work, signal) =>
    locked((grants) => work({ ...grants, write: () => Promise.reject(unreliable) }), signal);
  const fresh = recordOf({ generation: "02".repeat(16) });
  const error = await assertRejects(
    () => host.tokens.signIn("default", () => Promise.resolve(fresh)),
    EnterpriseError,
  );
  assertEquals(error.code, "KEYRING_UNRELIABLE");
  assert(
    (await locked((grants) => grants.read(key), AbortSignal.timeout(5_000)))?.generation !== fresh.generation,
  );
});
