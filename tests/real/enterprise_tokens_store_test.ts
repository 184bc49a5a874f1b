/**
 * Tokens over the real grant store: marker file, lock and keyring item, shared by several hosts as by several
 * processes; and what a revocation does to a stream and to a call in flight.
 *
 * @module
 */

import * as lockfile from "@rushstack/node-core-library/lib/LockFile";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../adapters/http/digest.ts";
import { GrantStore } from "../../adapters/keyring/grant_store.ts";
import { createMemoryKeyring } from "../../adapters/keyring/memory.ts";
import { EnterpriseError } from "../../core/enterprise/error.ts";
import { providerKey } from "../../core/enterprise/grant/key.ts";
import { type EnterpriseBed, select, startEnterpriseBed } from "../fixtures/enterprise/mod.ts";
import { USE } from "./enterprise_tokens_checks.ts";
import { configurationOf, startHost } from "./enterprise_tokens_host.ts";

/** Stores of several processes over one keyring and one folder. */
async function createStores(bed: EnterpriseBed, folder: string): Promise<() => GrantStore> {
  const [idp] = configurationOf(bed).providers;
  assert(idp !== undefined);
  const provider = await providerKey({ issuer: idp.issuer, clientId: idp.client.clientId }, createDigest());
  const keyring = createMemoryKeyring();
  return () => new GrantStore({ keyring, folder, provider, loadLock: () => Promise.resolve(lockfile) });
}

test("hosts that share a store and a rotating refresh token never sign each other out", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  bed.idp.controls.rotateAtExchange = true;
  const folder = await Deno.makeTempDir();
  const create = await createStores(bed, folder);
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
