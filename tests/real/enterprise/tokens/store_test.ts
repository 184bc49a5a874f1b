/**
 * Tokens over the real grant store: marker file, lock and keyring item, shared by several hosts as by several
 * processes; and what a revocation does to a stream and to a call in flight.
 *
 * @module
 */

import * as lockfile from "@rushstack/node-core-library/lib/LockFile";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { GrantStore } from "../../../../adapters/keyring/grant_store.ts";
import type { Keyring } from "../../../../adapters/keyring/keyring.ts";
import { createMemoryKeyring } from "../../../../adapters/keyring/memory.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { grantKey, providerKey } from "../../../../core/enterprise/grant/key.ts";
import { FaultyKeyring } from "../../../adapters/keyring/records.ts";
import {
  type EnterpriseBed,
  type JsonDocument,
  select,
  startEnterpriseBed,
} from "../../../fixtures/enterprise/mod.ts";
import { ownerOf, refused, USE } from "./checks.ts";
import { configurationOf, startHost } from "./host.ts";

/** Stores of several processes over one keyring and one folder. */
async function createStores(
  bed: EnterpriseBed,
  { folder, keyring = createMemoryKeyring() }: { readonly folder: string; readonly keyring?: Keyring },
): Promise<() => GrantStore> {
  const [idp] = configurationOf(bed).providers;
  assert(idp !== undefined);
  const provider = await providerKey({ issuer: idp.issuer, clientId: idp.client.clientId }, createDigest());
  return () => new GrantStore({ keyring, folder, provider, loadLock: () => Promise.resolve(lockfile) });
}

test("hosts that share a store and a rotating refresh token never sign each other out", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  bed.idp.controls.rotateAtExchange = true;
  const folder = await Deno.makeTempDir();
  const create = await createStores(bed, { folder });
  const server = { subject_token: "refresh_token" };
  const hosts = await Promise.all([1, 2, 3].map(() => startHost(bed, { source: create(), server })));
  await hosts[0]?.signIn();
  for (let round = 0; round < 8; round += 1) {
    await Promise.all(hosts.map(({ tokens, clock }) => {
      clock.shift = round % 2 * 301;
      return tokens.token(USE);
    }));
  }
  for (const { tokens } of hosts) assertEquals(tokens.status("notes", "one").kind, "ready");
  assertEquals(select(bed.wire.entries(), { endpoint: "idp.exchange" }).length, 24);
  await hosts[1]?.tokens.signOut("default");
  for (const { tokens } of hosts) {
    assertEquals((await assertRejects(() => tokens.token(USE), EnterpriseError)).code, "SIGN_IN_REQUIRED");
  }
  await Deno.remove(folder, { recursive: true });
});

const UNACCEPTABLE: Readonly<Record<string, (document: JsonDocument) => JsonDocument>> = {
  "a malformed ID-JAG": (document) => ({ ...document, access_token: "no ID-JAG" }),
  "no ID-JAG": ({ access_token: _, ...document }) => document,
  "another type": (document) => ({
    ...document,
    issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
  }),
  "a scope that was not asked for": (document) => ({ ...document, scope: "notes:read admin" }),
  "nothing else": (document) => ({ refresh_token: document["refresh_token"] }),
};

test("a rotated refresh token is stored whatever else the answer says, and the next process goes on with it", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  bed.idp.controls.rotateAtExchange = true;
  const folder = await Deno.makeTempDir();
  const create = await createStores(bed, { folder });
  const server = { subject_token: "refresh_token" };
  await (await startHost(bed, { source: create(), server })).signIn();
  for (const [name, edit] of Object.entries(UNACCEPTABLE)) {
    const host = await startHost(bed, { source: create(), server });
    bed.faults.edit("idp.exchange", edit, { times: 1 });
    await assertRejects(() => host.tokens.token(USE), EnterpriseError, undefined, name);
    host.tokens.retryServer("notes");
    await host.tokens.token(USE);
    await (await startHost(bed, { source: create(), server })).tokens.token(USE);
  }
  const presented = select(bed.wire.entries(), { endpoint: "idp.exchange" }).map(({ params }) =>
    params?.["subject_token"]
  );
  assertEquals([presented.length, new Set(presented).size], [15, 15], "a token that was spent came again");
  await Deno.remove(folder, { recursive: true });
});

test("a sign-out while the keyring is locked holds for every process, now and when it is open again", async () => {
  await using bed = await startEnterpriseBed();
  for (const known of [true, false]) {
    bed.wire.clear();
    const folder = await Deno.makeTempDir();
    const keyring = new FaultyKeyring();
    const create = await createStores(bed, { folder, keyring });
    const hosts = await Promise.all([1, 2].map(() => startHost(bed, { source: create() })));
    const [here, there] = hosts;
    assert(here !== undefined && there !== undefined);
    const record = await there.signIn();
    await there.tokens.token(USE);
    if (known) await here.tokens.token(USE);
    keyring.locked = ["read", "write", "delete"];
    const { voided, deleted, revoked } = await here.tokens.signOut("default");
    assert(deleted instanceof EnterpriseError && deleted.code === "KEYRING_LOCKED");
    assertEquals(voided, "done");
    // the token is in memory where it was used before
    assertEquals(revoked, known ? "done" : deleted);
    assertEquals(select(bed.wire.entries(), { endpoint: "idp.revocation" }).length, known ? 1 : 0);
    for (const locked of [["read", "write", "delete"], []] as const) {
      keyring.locked = locked;
      for (const host of [...hosts, await startHost(bed, { source: create() })]) {
        await refused(host, "SIGN_IN_REQUIRED");
        assertEquals(await host.tokens.reauthorizeThread(USE), false);
      }
    }
    const late = await startHost(bed, { source: create() });
    const again = await late.tokens.signOut("default");
    assertEquals([again.deleted, again.revoked], ["done", "done"]);
    const { user, workspace, issuer, clientId } = record;
    const account = await grantKey({ owner: { user, workspace }, issuer, clientId }, createDigest());
    assertEquals(await keyring.read({ service: "codex-mcp", account }, new AbortController().signal), null);
    await Deno.remove(folder, { recursive: true });
  }
});

test("a host's own account that is signed out while the keyring is locked does not come back either", async () => {
  await using bed = await startEnterpriseBed();
  const folder = await Deno.makeTempDir();
  const keyring = new FaultyKeyring();
  const create = await createStores(bed, { folder, keyring });
  const host = await startHost(bed, { source: create(), ownerFrom: "host" });
  await host.signIn("alice");
  await host.signIn("bob");
  await host.tokens.setAccount(ownerOf("alice"));
  await host.tokens.token(USE);
  keyring.locked = ["delete"];
  await host.tokens.signOut("default");
  keyring.locked = [];
  await refused(host, "SIGN_IN_REQUIRED");
  const other = await startHost(bed, { source: create(), ownerFrom: "host" });
  await other.tokens.setAccount(ownerOf("alice"));
  await refused(other, "SIGN_IN_REQUIRED");
  await other.tokens.setAccount(ownerOf("bob"));
  await other.tokens.reauthorizeThread(USE);
  await other.tokens.token(USE);
  await Deno.remove(folder, { recursive: true });
});

test("a revocation ends a subscription, and lets a call in flight return", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const send = host.tokens.authenticatedFetch(USE);
  const post = (method: string, params: Readonly<Record<string, unknown>>): Promise<Response> => {
    const prefix = "io.modelcontextprotocol/";
    const _meta = {
      [`${prefix}protocolVersion`]: "2026-07-28",
      [`${prefix}clientInfo`]: { name: "test", version: "1" },
      [`${prefix}clientCapabilities`]: {},
    };
    const name = params["name"];
    return send(bed.mcp.url, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(typeof name === "string" ? { "mcp-name": name } : {}),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    });
  };
  const listening = await post("subscriptions/listen", { notifications: { toolsListChanged: true } });
  assertEquals(listening.status, 200, await (listening.ok ? "" : listening.text()));
  const reading = assertRejects(async () => {
    for await (const _chunk of listening.body ?? []) continue;
  });
  const calling = post("tools/call", { name: "hold", arguments: {} });
  while (
    !select(bed.wire.entries(), { endpoint: "mcp.endpoint" }).some(({ body }) => body.includes("tools/call"))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await host.tokens.signOut("default");
  await reading;
  bed.release();
  assert((await (await calling).text()).includes("released"));
  assertEquals((await assertRejects(() => send(bed.mcp.url), EnterpriseError)).code, "SIGN_IN_REQUIRED");
});
