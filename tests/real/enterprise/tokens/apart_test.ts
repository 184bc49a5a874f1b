/**
 * Accounts side by side never share anything, processes never sign each other out, and no output shows a secret.
 *
 * @module
 */

import * as sdk from "@modelcontextprotocol/client";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { inspect } from "node:util";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { ProgramGrantSource } from "../../../../adapters/http/grants/program_grant_source.ts";
import { connectEnterprise } from "../../../../adapters/mcp/wire/enterprise_connection.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { newGeneration } from "../../../../core/enterprise/grant/generation.ts";
import { grantKey } from "../../../../core/enterprise/grant/key.ts";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import {
  type EnterpriseBed,
  findSecret,
  select,
  startEnterpriseBed,
} from "../../../fixtures/enterprise/mod.ts";
import { configurationOf, type Host, recordOf, startHost } from "./host.ts";

const USE = { thread: "one", server: "notes" };

async function whoami(
  bed: EnterpriseBed,
  host: Host,
  thread: string,
): Promise<Readonly<Record<string, unknown>>> {
  const server = { name: "notes", url: bed.mcp.url, requireExtension: false };
  const clientInfo = { name: "test", version: "1" };
  const { client } = await connectEnterprise({ sdk, tokens: host.tokens, thread, server, clientInfo });
  const { content } = await client.callTool({ name: "whoami", arguments: {} });
  await client.close();
  const [first] = content as readonly { readonly text: string }[];
  return JSON.parse(first?.text ?? "{}");
}

test("threads of different accounts side by side never share a token", async () => {
  await using bed = await startEnterpriseBed();
  const accounts = ["alice", "bob", "alice-globex"];
  const hosts = await Promise.all(accounts.map(() => startHost(bed)));
  for (const [index, host] of hosts.entries()) await host.signIn(accounts[index]);
  const seen = await Promise.all(
    Array.from({ length: 12 }, (_, index) => {
      const host = hosts[index % 3];
      assert(host !== undefined);
      return whoami(bed, host, `thread-${index}`);
    }),
  );
  for (const [index, one] of seen.entries()) assertEquals(one["account"], accounts[index % 3]);
  assertEquals(new Set(seen.map(({ token }) => token)).size, 3);
});

test("one token for each server, and each is for its own resource", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const [one, other] = await Promise.all([
    host.tokens.token(USE),
    host.tokens.token({ thread: "one", server: "second" }),
  ]);
  assert(one !== undefined && other !== undefined && one !== other);
  const resources = select(bed.wire.entries(), { endpoint: "as.token" }).map(({ params }) =>
    params?.["resource"]
  );
  assertEquals(resources.toSorted(), [bed.mcp.url, bed.mcp.secondUrl].toSorted());
});

test("two hosts that share a rotating refresh token never sign each other out", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  bed.idp.controls.rotateAtExchange = true;
  const source = new MemoryGrantSource();
  const server = { subject_token: "refresh_token" };
  const hosts = [await startHost(bed, { source, server }), await startHost(bed, { source, server })];
  await hosts[0]?.signIn();
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(hosts.flatMap(({ tokens, clock }) => {
      clock.shift = round % 2 * 301;
      return [tokens.token(USE), tokens.token({ thread: "one", server: "second" })];
    }));
  }
  for (const { tokens } of hosts) assertEquals(tokens.status("notes", "one").kind, "ready");
  assertEquals(select(bed.wire.entries(), { endpoint: "idp.exchange" }).length, 40);
});

test("an expired ID token is refreshed, checked and stored before it is exchanged", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  const record = await host.signIn("alice", { idTokenExpiresAt: 0 });
  await host.tokens.token(USE);
  const marker = await host.source.marker(AbortSignal.timeout(5_000));
  assertEquals(marker?.generation, record.generation);
  assert(marker !== null && marker.revision > record.revision);
  const order = bed.wire.entries().map(({ endpoint }) => endpoint);
  // the refresh token is tried first, which this provider does not take
  assertEquals(order.filter((one) => one === "idp.refresh" || one === "idp.exchange"), [
    "idp.exchange",
    "idp.refresh",
    "idp.exchange",
  ]);
  assertEquals(host.tokens.status("notes", "one").kind, "ready");
});

test("an identity that the embedding program supplies is handed back when it rotates, and never deleted", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  bed.idp.controls.rotateAtExchange = true;
  const [provider] = configurationOf(bed).providers;
  assert(provider !== undefined);
  const { user, workspace, subject, refreshToken } = await recordOf(bed, { account: "alice", provider });
  const { issuer, client: { clientId } } = provider;
  let held: string | null = refreshToken;
  const source = new ProgramGrantSource({
    identity: {
      tokens: () =>
        Promise.resolve(held === null ? null : { refreshToken: held, idToken: null, idTokenExpiresAt: null }),
      rotated: (token) => {
        held = token;
        return Promise.resolve();
      },
    },
    key: await grantKey({ owner: { user, workspace }, issuer, clientId }, createDigest()),
    subject: { issuer, clientId, user, workspace, subject },
    newGeneration: () => newGeneration(crypto.getRandomValues(new Uint8Array(16))),
  });
  const host = await startHost(bed, { source, ownerFrom: "host" });
  await host.tokens.setAccount({ user, workspace });
  await host.tokens.token(USE);
  assert(held !== null && held !== refreshToken);
  await host.tokens.token({ thread: "one", server: "second" });
  const report = await host.tokens.signOut("default");
  assertEquals(report.revoked, "not-offered");
  assertEquals(select(bed.wire.entries(), { endpoint: "idp.revocation" }).length, 0);
  await assertRejects(() => host.tokens.token(USE), EnterpriseError);
});

/** Everything that can be seen of a value: its text, its causes, its stacks, its members. */
function everythingOf(value: unknown): string {
  const texts = [inspect(value, { depth: 12, showHidden: true, getters: true }), String(value)];
  for (let one = value, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth += 1) {
    texts.push(one.message, one.stack ?? "", JSON.stringify(one), JSON.stringify(Object.entries(one)));
  }
  return texts.join("\n");
}

test("no error, no status and no object shows a secret, whatever goes wrong", async () => {
  await using bed = await startEnterpriseBed();
  const seen: string[] = [];
  const host = await startHost(bed);
  await host.signIn();
  const look = (value: unknown): void => void seen.push(everythingOf(value));
  const printed = [console.log, console.error, console.warn, console.info, console.debug];
  const [log, error, warn, info, debug] = printed;
  const capture = (...values: readonly unknown[]): void => values.forEach(look);
  Object.assign(console, { log: capture, error: capture, warn: capture, info: capture, debug: capture });
  try {
    for (
      const name of [
        "exchange-invalid_grant",
        "exchange-access_denied",
        "exchange-unheard_of",
        "exchange-answer-issued-access-token",
        "exchange-answer-scope-broadened",
        "redemption-invalid_grant",
        "redemption-answer-token-type-dpop",
        "redemption-answer-access-token-line-break",
        "id-jag-aud-other",
        "idp.exchange-html",
        "idp.exchange-redirect-307-elsewhere",
        "as.token-not-json",
        "as.token-redirect-308-elsewhere",
        "as.token-huge",
        "as.token-reset",
        "as-metadata-issuer-elsewhere",
        "prm-resource-elsewhere",
        "mcp-unauthorized-always",
        "mcp-insufficient-scope-always",
        "mcp.endpoint-html-403",
        "mcp.endpoint-500",
        "mcp.endpoint-not-json",
      ]
    ) {
      bed.restore();
      bed.turn(name);
      host.tokens.retryServer("notes");
      host.clock.shift = 301 - host.clock.shift;
      await whoami(bed, host, "one").then(look, look);
      look(host.tokens.status("notes", "one"));
    }
  } finally {
    Object.assign(console, { log, error, warn, info, debug });
  }
  look([host.tokens, host.effects, host.source, host.tokens.authProvider(USE)]);
  const text = seen.join("\n");
  for (const secret of bed.secretsInPlay()) assert(!text.includes(secret), "a secret was shown");
  const astray = bed.wire.entries().filter(({ site }) => site === "elsewhere");
  for (const secret of bed.secretsInPlay()) assertEquals(findSecret(astray, secret), []);
  assert(bed.secretsInPlay().length > 20 && text.length > 10_000);
});
