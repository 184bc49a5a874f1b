/**
 * Access tokens over the whole test bed: how many requests it takes, who waits for whom, where a bearer goes, and what
 * a server's answer leads to.
 *
 * @module
 */

import * as sdk from "@modelcontextprotocol/client";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import {
  connectEnterprise,
  type EnterpriseConnection,
} from "../../../../adapters/mcp/wire/enterprise_connection.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";
import {
  countSequentialLegs,
  type EnterpriseBed,
  PROFILE_NAMES,
  select,
  startEnterpriseBed,
  WRITE_TOOL,
} from "../../../fixtures/enterprise/mod.ts";
import { type Host, startHost } from "./host.ts";

const USE = { thread: "one", server: "notes" };

function connect(bed: EnterpriseBed, host: Host, thread: string = "one"): Promise<EnterpriseConnection> {
  return connectEnterprise({
    sdk,
    tokens: host.tokens,
    thread,
    server: { name: "notes", url: bed.mcp.url, requireExtension: false },
    clientInfo: { name: "test", version: "1" },
  });
}

async function whoami({ client }: EnterpriseConnection): Promise<Readonly<Record<string, unknown>>> {
  const { content } = await client.callTool({ name: "whoami", arguments: {} });
  const [first] = content as readonly { readonly text: string }[];
  return JSON.parse(first?.text ?? "{}");
}

function rejectsWith(code: EnterpriseErrorCode, work: () => Promise<unknown>): Promise<EnterpriseError> {
  return assertRejects(work, EnterpriseError).then((error) => {
    assertEquals(error.code, code, error.message);
    return error;
  });
}

function counts(bed: EnterpriseBed): Readonly<Record<"exchange" | "redemption" | "mcp", number>> {
  const count = (endpoint: Parameters<typeof select>[1]["endpoint"] & string): number =>
    select(bed.wire.entries(), { endpoint }).length;
  return { exchange: count("idp.exchange"), redemption: count("as.token"), mcp: count("mcp.endpoint") };
}

for (const profile of PROFILE_NAMES) {
  test(`a cold connect takes few legs that wait for each other (${profile})`, async () => {
    // the refresh token is configured where only it is taken, as its administrator would
    const subject = profile === "ping-refresh" ? { subject_token: "refresh_token" } : {};
    for (const [most, oauth] of [[5, {}], [6, { authorization_server_issuer: undefined }]] as const) {
      const method = most === 6 ? { resourceMethod: "none" } as const : {};
      await using bed = await startEnterpriseBed({ profile, latency: 80, ...method });
      const host = await startHost(bed, { server: { ...subject, oauth } });
      await host.signIn();
      bed.wire.clear();
      const connection = await connect(bed, host);
      assertEquals((await whoami(connection))["account"], "alice");
      assert(
        countSequentialLegs(bed.wire.entries()) <= most,
        `${countSequentialLegs(bed.wire.entries())} legs`,
      );
      assertEquals(counts(bed), { exchange: 1, redemption: 1, mcp: 2 });
      assertEquals(connection.extension, bed.profile.advertises ? "advertised" : "unknown");
      await connection.close();
    }
  });
}

test("a thousand first calls make one exchange and one redemption, and a warm call none", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  bed.wire.clear();
  const threads = Array.from(
    { length: 1_000 },
    (_, index) => ({ thread: `t${index % 10}`, server: "notes" }),
  );
  const tokens = await Promise.all(threads.map((use) => host.tokens.token(use)));
  assertEquals(new Set(tokens).size, 1);
  assertEquals(counts(bed), { exchange: 1, redemption: 1, mcp: 0 });
  const before = bed.wire.entries().length;
  assertEquals(await host.tokens.token(USE), tokens[0]);
  assertEquals(bed.wire.entries().length, before);
});

test("a caller that gives up leaves the others their token", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const hold = bed.faults.hold("idp.exchange");
  const stalled = bed.wire.nextStall("idp.exchange");
  const caller = new AbortController();
  const given = host.tokens.token(USE, caller.signal);
  const other = host.tokens.token(USE);
  await stalled;
  caller.abort();
  await rejectsWith("TEMPORARILY_UNAVAILABLE", () => given);
  hold.release();
  assert((await other).length > 0);
  assertEquals(counts(bed).exchange, 1);
});

test("a lease is renewed ahead of its end, while calls go on with the old one", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed, { random: () => 0.5 });
  await host.signIn();
  const first = await host.tokens.token(USE);
  host.clock.shift = 240;
  assertEquals(await host.tokens.token(USE), first);
  await host.tokens.idle();
  assertEquals(counts(bed).exchange, 1, "renewed before it was due");
  host.clock.shift = 270;
  const hold = bed.faults.hold("as.token");
  const stalled = bed.wire.nextStall("as.token");
  assertEquals(await host.tokens.token(USE), first);
  await stalled;
  assertEquals(await host.tokens.token(USE), first);
  hold.release();
  await host.tokens.idle();
  assert(await host.tokens.token(USE) !== first);
  assertEquals(counts(bed), { exchange: 2, redemption: 2, mcp: 0 });
});

test("a renewal that meets an outage leaves the lease to its end", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const first = await host.tokens.token(USE);
  bed.turn("idp.exchange-500");
  host.clock.shift = 295;
  assertEquals(await host.tokens.token(USE), first);
  await host.tokens.idle();
  assertEquals(await host.tokens.token(USE), first);
  assertEquals(host.tokens.status("notes").kind, "unavailable");
  host.clock.shift = 301;
  await rejectsWith("TEMPORARILY_UNAVAILABLE", () => host.tokens.token(USE));
  bed.restore();
  assert(await host.tokens.token(USE) !== first);
  assertEquals(host.tokens.status("notes").kind, "ready");
});

test("a 401 drops the bearer, and one more is got", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const connection = await connect(bed, host);
  const before = await whoami(connection);
  bed.revokeAccessTokens();
  const after = await whoami(connection);
  assertEquals(after["account"], "alice");
  assert(after["token"] !== before["token"]);
  assertEquals(counts(bed).exchange, 2);
  await connection.close();
});

test("an old bearer's 401 does not drop the new one", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const connection = await connect(bed, host);
  bed.revokeAccessTokens();
  await Promise.all(Array.from({ length: 20 }, () => whoami(connection)));
  assertEquals(counts(bed).exchange, 2);
  assertEquals(host.tokens.status("notes").kind, "ready");
  await connection.close();
});

test("a bearer goes to the configured URL only, and no redirect takes it along", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const send = host.tokens.authenticatedFetch(USE);
  const token = await host.tokens.token(USE);
  const others = [
    `${bed.mcp.url}/`,
    `${bed.mcp.url}?x=1`,
    bed.mcp.secondUrl,
    bed.mcp.url.replace("//", "//user:password@"),
    `${bed.elsewhere.origin}/mcp/mcp`,
    bed.mcp.url.replace("127.0.0.1", "localhost"),
  ];
  for (const url of others) {
    await assertRejects(() => send(url), `${url} was sent`);
  }
  assertEquals(select(bed.wire.entries(), { site: "mcp", endpoint: "mcp.endpoint" }).length, 0);
  for (const name of ["redirect-302-elsewhere", "redirect-307-elsewhere", "redirect-308-same"]) {
    bed.restore();
    bed.turn(`mcp.endpoint-${name}`);
    await rejectsWith("URL_REFUSED", () => send(bed.mcp.url, { method: "POST", body: "{}" }));
  }
  const led = bed.wire.entries().filter(({ site, headers }) =>
    site === "elsewhere" && headers["authorization"]?.includes(token)
  );
  assertEquals(led, []);
  assertEquals(counts(bed).mcp, 3);
});

test("insufficient_scope steps up once, within what is allowed, and the thread keeps what it got", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const connection = await connect(bed, host);
  const write = (): Promise<unknown> =>
    connection.client.callTool({ name: WRITE_TOOL, arguments: { text: "x" } });
  await write();
  assertEquals(counts(bed).exchange, 2);
  await write();
  assertEquals(counts(bed).exchange, 2);
  assertEquals((await whoami(connection))["scopes"], ["notes:read", "notes:write"]);
  bed.turn("mcp-insufficient-scope-unknown");
  const error = await rejectsWith("SCOPE_REFUSED", write);
  assertEquals(error.leg === "token-exchange" || error.reason === "only-once", true);
  bed.restore();
  assertEquals(host.tokens.status("notes", "one").kind, "ready", "a refused step-up blocked the server");
  await write();
  await connection.close();
});

test("a step-up stays within allow_scopes", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed, { server: { allow_scopes: ["notes:read"] } });
  await host.signIn();
  const connection = await connect(bed, host);
  const write = (): Promise<unknown> =>
    connection.client.callTool({ name: WRITE_TOOL, arguments: { text: "x" } });
  assertEquals((await rejectsWith("SCOPE_REFUSED", write)).reason, "not-allowed");
  assertEquals(counts(bed).exchange, 1);
  await connection.close();
});

test("a legacy server is spoken to with the handshake of before, authenticated, and is unknown", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  bed.turn("mcp-legacy-only");
  const connection = await connect(bed, host);
  assertEquals(connection.extension, "unknown");
  assertEquals((await whoami(connection))["account"], "alice");
  const sent = select(bed.wire.entries(), { endpoint: "mcp.endpoint" });
  assert(sent.every(({ headers }) => headers["authorization"] !== undefined));
  const handshake = sent.find(({ body }) => body.includes('"initialize"'));
  assert(handshake?.body.includes("enterprise-managed-authorization"));
  await connection.close();
});

test("require_extension refuses a server that does not advertise it", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  bed.turn("mcp-extension-not-advertised");
  await rejectsWith("EXTENSION_REQUIRED", () =>
    connectEnterprise({
      sdk,
      tokens: host.tokens,
      thread: "one",
      server: { name: "notes", url: bed.mcp.url, requireExtension: true },
      clientInfo: { name: "test", version: "1" },
    }));
  assertEquals(host.tokens.status("notes").kind, "extension-required");
});

test("the minimal provider shows no bearer: our fetch puts it on, and gets one more after a 401", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  await host.tokens.openThread(USE);
  const connect = async (
    options: Pick<sdk.StreamableHTTPClientTransportOptions, "fetch">,
  ): Promise<sdk.Client> => {
    const client = new sdk.Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const authProvider = host.tokens.authProvider(USE);
    await client.connect(
      new sdk.StreamableHTTPClientTransport(new URL(bed.mcp.url), { ...options, authProvider }),
    );
    return client;
  };
  await rejectsWith("CONFIGURATION_REFUSED", () => connect({}));
  const client = await connect({ fetch: host.tokens.authenticatedFetch(USE) });
  bed.revokeAccessTokens();
  await client.callTool({ name: "whoami", arguments: {} });
  assertEquals(counts(bed).exchange, 2);
  bed.turn("mcp-unauthorized-always");
  await assertRejects(() => client.callTool({ name: "whoami", arguments: {} }));
  await client.close();
});
