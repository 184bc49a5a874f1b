import { assertEquals } from "@std/assert";
import { rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { createDigest } from "../../../adapters/http/transport/digest.ts";
import { EnterpriseTokens } from "../../../adapters/http/tokens/enterprise_tokens.ts";
import { createEdgeRuntime } from "../../../adapters/http/transport/sending.ts";
import { signOut } from "../../../adapters/http/grants/store_sign_in.ts";
import type { GrantStore } from "../../../adapters/keyring/grant_store.ts";
import { keyringError } from "../../../adapters/keyring/native.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { type AccountOwner, grantKey } from "../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import { configurationOf, createFakeLegs } from "../http/fake_legs.ts";
import { type Bench, PROVIDER_KEY, record, withStore } from "./records.ts";

const { signal } = new AbortController();
const X: AccountOwner = { user: "x", workspace: null };
const Y: AccountOwner = { user: "y", workspace: null };

const keyOf = (owner: AccountOwner): Promise<string> =>
  grantKey({ owner, issuer: "https://idp.example", clientId: "codex" }, createDigest());
const recordOf = ({ user }: AccountOwner, digit: string): GrantRecord =>
  record(digit, { user, subject: user, clientId: "codex", refreshToken: `refresh-${user}` });
const codeOf = (error: unknown): string => error instanceof EnterpriseError ? error.code : String(error);

/** A host over a store, with an account, or with whoever signs in. */
async function startHost(store: GrantStore, owner: AccountOwner | null): Promise<EnterpriseTokens> {
  const tokens = new EnterpriseTokens({
    legs: createFakeLegs(),
    clock: { now: () => 1_000, sleep: () => Promise.resolve(true) },
    digest: createDigest(),
    runtime: createEdgeRuntime(),
    grants: () => store,
    random: () => 0.5,
    ownerFrom: owner === null ? "sign-in" : "host",
  });
  await tokens.loadConfiguration(configurationOf());
  if (owner !== null) await tokens.setAccount(owner);
  return tokens;
}

/** What a thread gets. */
async function ask(tokens: EnterpriseTokens, thread = "one"): Promise<string> {
  const use = { thread, server: "notes" };
  await tokens.openThread(use);
  return await tokens.token(use).then(() => "a bearer", codeOf);
}

/** X and Y are signed in, Y is the current account, and X has a host that runs. */
async function both({ store, again }: Bench): Promise<{ x: string; y: string; host: EnterpriseTokens }> {
  const [x, y] = [await keyOf(X), await keyOf(Y)];
  await store.locked((grants) => grants.write(x, recordOf(X, "1")), signal);
  await store.locked((grants) => grants.write(y, recordOf(Y, "2")), signal);
  const host = await startHost(again(), X);
  assertEquals(await ask(host), "a bearer");
  return { x, y, host };
}

test("the sign-out of an account by another process is noticed, whoever looks first", () =>
  withStore(async (bench) => {
    const { host } = await both(bench);
    const current = await startHost(bench.again(), Y);
    assertEquals(await ask(current), "a bearer");
    const report = await (await startHost(bench.again(), X)).signOut("default");
    assertEquals([report.voided, report.deleted], ["done", "done"]);
    assertEquals([await ask(current), await ask(host)], ["a bearer", "SIGN_IN_REQUIRED"]);
  }));

test("that an account's grant was deleted is noticed, also when another one is current", () =>
  withStore(async (bench) => {
    const { x, host } = await both(bench);
    await bench.again().locked((grants) => grants.remove(x), signal);
    assertEquals(await ask(host), "SIGN_IN_REQUIRED");
  }));

test("a void sign-in is not used because the lock is busy or the keyring locked", () =>
  withStore(async (bench) => {
    const { x, host } = await both(bench);
    bench.keyring.locked = ["read", "write", "delete"];
    const ending = { key: x, generation: "78".repeat(16) };
    await bench.again().locked((grants) => grants.endSignIn(ending), signal);
    let letGo = (): void => undefined;
    let took = (): void => undefined;
    const taken = new Promise<void>((resolve) => took = resolve);
    const busy = bench.again().locked(() => {
      took();
      return new Promise<void>((resolve) => letGo = resolve);
    }, signal);
    await taken;
    assertEquals([await ask(host), host.status("notes").kind], ["SIGN_IN_REQUIRED", "signed-out"]);
    letGo();
    await busy;
  }));

test("a sign-in that is in force stays usable while another account's sign-out cannot be looked at", () =>
  withStore(async (bench) => {
    const { x } = await both(bench);
    const current = await startHost(bench.again(), Y);
    assertEquals(await ask(current), "a bearer");
    const ending = { key: x, generation: "78".repeat(16) };
    await bench.again().locked((grants) => grants.endSignIn(ending), signal);
    bench.keyring.locked = ["read"];
    assertEquals(await ask(current), "a bearer");
  }));

test("a sign-out that found the marker damaged ends every sign-in, and says that it found none", () =>
  withStore(async (bench) => {
    const { host } = await both(bench);
    await writeFile(`${bench.folder}/${PROVIDER_KEY}.json`, "{");
    const ended = await signOut(bench.again(), signal);
    assertEquals([ended.key, ended.fault?.code], [null, "MARKER_MALFORMED"]);
    assertEquals(await ask(host), "SIGN_IN_REQUIRED");
  }));

test("what a person signed out of stays so, also when the marker is gone and the keyring was locked", () =>
  withStore(async ({ store, again, keyring, folder }) => {
    const x = await keyOf(X);
    await store.locked((grants) => grants.write(x, recordOf(X, "1")), signal);
    const host = await startHost(again(), X);
    assertEquals(await ask(host), "a bearer");
    keyring.locked = ["read", "write", "delete"];
    const { voided, deleted } = await host.signOut("default");
    assertEquals([voided, codeOf(deleted)], ["done", "KEYRING_LOCKED"]);
    keyring.locked = [];
    await rm(`${folder}/${PROVIDER_KEY}.json`);
    assertEquals(await ask(host, "two"), "SIGN_IN_REQUIRED");
  }));

test("a sign-in that the keyring did not keep leaves the one before it usable", () =>
  withStore(async ({ store, again, keyring }) => {
    const x = await keyOf(X);
    await store.locked((grants) => grants.write(x, recordOf(X, "1")), signal);
    const host = await startHost(again(), null);
    assertEquals(await ask(host), "a bearer");
    const { write } = keyring;
    for (const how of ["mismatch", "locked"] as const) {
      keyring.write = () => Promise.reject(keyringError("memory", how));
      const failed = await host.signIn("default", () => Promise.resolve(recordOf(X, "3"))).catch(codeOf);
      assertEquals(failed, how === "locked" ? "KEYRING_LOCKED" : "KEYRING_UNRELIABLE");
      keyring.write = write;
      if (how === "mismatch") assertEquals(host.status("notes").kind, "ready", "before anybody looks");
      assertEquals(await ask(host, how), "a bearer", how);
      assertEquals(host.status("notes").kind, "ready");
    }
  }));

test("an account that came while the one before was being read is found when the keyring opens", () =>
  withStore(async ({ store, again, keyring }) => {
    const [x, y] = [await keyOf(X), await keyOf(Y)];
    await store.locked((grants) => grants.write(y, recordOf(Y, "2")), signal);
    await store.locked((grants) => grants.write(x, recordOf(X, "1")), signal);
    const host = await startHost(again(), Y);
    const { read } = keyring;
    let letGo = (): void => undefined;
    let reach = (): void => undefined;
    const held = new Promise<void>((resolve) => letGo = resolve);
    const reached = new Promise<void>((resolve) => reach = resolve);
    keyring.read = async (entry, within) => {
      if (entry.account !== x) throw keyringError("memory", "locked");
      reach();
      await held;
      return await read(entry, within);
    };
    const first = host.setAccount(X);
    await reached;
    const second = host.setAccount(Y);
    await new Promise((resolve) => setTimeout(resolve, 20)); // the name of an account takes a moment
    letGo();
    await Promise.all([first, second]);
    assertEquals([await ask(host, "locked"), host.status("notes").kind], [
      "KEYRING_LOCKED",
      "keyring-locked",
    ]);
    keyring.read = read;
    assertEquals(await ask(host, "open"), "a bearer");
  }));
