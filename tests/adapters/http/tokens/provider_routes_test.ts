import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { EnterpriseTokens } from "../../../../adapters/http/tokens/enterprise_tokens.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { ProviderRoutes } from "../../../../adapters/http/tokens/provider_routes.ts";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import type { EnterpriseConfiguration } from "../../../../core/enterprise/config/configuration.ts";
import { readConfiguration } from "../../../../core/enterprise/config/configuration.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { createFakeLegs, type FakeLegs, recordOf, SERVER_URL, USE } from "../fake_legs.ts";

const IDP = { issuer: "https://idp.example", client_id: "codex" };

/** Identity providers by name, and the one of the server; `null`: the server is not configured. */
function configured(idps: Readonly<Record<string, unknown>>, idp: string | null): EnterpriseConfiguration {
  const notes = { url: SERVER_URL, auth: "ema_auth", scopes: ["read"], oauth: { client_id: "mcp" }, idp };
  const values = {
    features: { use_xaa: true },
    mcp_enterprise_managed_auth: { idps },
    mcp_servers: idp === null ? {} : { notes },
  };
  return readConfiguration([{ kind: "user", source: "config.toml", values, codexFile: true }]);
}

interface Host {
  readonly tokens: EnterpriseTokens;
  readonly legs: FakeLegs;
  readonly clock: { time: number; now(): number; sleep(): Promise<boolean> };
  /** Stores a sign-in of this generation's digit, through the host, at the identity provider of this name. */
  signIn(name: string, digit: string): Promise<void>;
}

/** A host at which everybody is signed in at "a". */
async function start(idps: Readonly<Record<string, unknown>>): Promise<Host> {
  const legs = createFakeLegs();
  const clock = { time: 1_000, now: () => clock.time, sleep: () => Promise.resolve(true) };
  const sources = new Map<string, MemoryGrantSource>();
  const tokens = new EnterpriseTokens({
    legs,
    clock,
    digest: createDigest(),
    runtime: createEdgeRuntime(),
    random: () => 0.5,
    grants: ({ issuer, client: { clientId } }) => {
      const source = new MemoryGrantSource();
      sources.set(`${issuer} ${clientId}`, source);
      return source;
    },
  });
  await tokens.loadConfiguration(configured(idps, "a"));
  const signIn = (name: string, digit: string): Promise<void> =>
    tokens.signIn(name, () => Promise.resolve(recordOf({ generation: `0${digit}`.repeat(16) })));
  await signIn("a", "1");
  return { tokens, legs, clock, signIn };
}

/** The code and the reason with which the thread is refused; `null`: it is not. */
async function refusal(tokens: EnterpriseTokens): Promise<readonly (string | undefined)[] | null> {
  return await tokens.token(USE).then(() => null, (error: EnterpriseError) => [error.code, error.reason]);
}

const MOVES: readonly (readonly [what: string, b: Readonly<Record<string, unknown>>])[] = [
  ["another name", IDP],
  ["another issuer", { ...IDP, issuer: "https://other.example" }],
  ["another client", { ...IDP, client_id: "other" }],
];
const MOVED = ["REAUTHORIZATION_REQUIRED", "registration-changed"];

for (const [what, b] of MOVES) {
  test(`${what}: the server's threads are revoked until they are authorized again`, async () => {
    const { tokens, legs, signIn } = await start({ a: IDP });
    await tokens.token(USE);
    const stream = tokens.revocation(USE);
    await tokens.loadConfiguration(configured({ b }, "b"));
    assertEquals(stream.aborted, true);
    if (what !== "another name") await signIn("b", "2");
    const asked = legs.asked.length;
    await tokens.openThread(USE);
    assertEquals([await refusal(tokens), legs.asked.length], [MOVED, asked]);
    assertEquals(tokens.status("notes", "one"), { kind: "reconnect", because: "registration-changed" });
    tokens.closeThread("one");
    await tokens.openThread(USE);
    assertEquals(await refusal(tokens), MOVED, "closing and opening revived it");
    assertEquals(await tokens.reauthorizeThread(USE), true);
    assertEquals(await refusal(tokens), null);
    await tokens.loadConfiguration(configured({ b }, "b"));
    assertEquals(await refusal(tokens), null, "the same configuration again revoked it");
    // and back: what was given there counts for nothing here
    await tokens.loadConfiguration(configured({ a: IDP }, "a"));
    assertEquals((await refusal(tokens))?.[0], "REAUTHORIZATION_REQUIRED");
  });

  test(`${what}: a thread that was revoked before stays so`, async () => {
    const { tokens, signIn } = await start({ a: IDP });
    await tokens.token(USE);
    await tokens.signOut("a");
    await tokens.loadConfiguration(configured({ b }, "b"));
    await signIn("b", "2");
    await tokens.openThread(USE);
    assertEquals((await refusal(tokens))?.[0], "REAUTHORIZATION_REQUIRED");
  });

  test(`${what}: also when the server was gone, or its provider invalid, in between`, async () => {
    for (
      const between of [configured({ a: IDP }, null), configured({ a: { ...IDP, issuer: "http://x" } }, "a")]
    ) {
      const { tokens, signIn } = await start({ a: IDP });
      await tokens.token(USE);
      await tokens.loadConfiguration(between);
      await refusal(tokens);
      await tokens.loadConfiguration(configured({ b }, "b"));
      await signIn("b", "2");
      assertEquals((await refusal(tokens))?.[0], "REAUTHORIZATION_REQUIRED");
    }
  });
}

test("a thread that was never authorized has lost nothing, and is when it is opened again", async () => {
  const { tokens, signIn } = await start({ a: IDP });
  await tokens.signOut("a");
  await tokens.openThread(USE);
  await tokens.loadConfiguration(configured({ b: { ...IDP, client_id: "other" } }, "b"));
  await signIn("b", "2");
  assertEquals(await refusal(tokens), ["REAUTHORIZATION_REQUIRED", "never-authorized"]);
  await tokens.openThread(USE);
  assertEquals(await refusal(tokens), null);
});

test("a name is whose it is now: signing in and out goes to the new issuer", async () => {
  const { tokens, signIn } = await start({ a: IDP });
  await tokens.loadConfiguration(configured({ a: { ...IDP, issuer: "https://other.example" } }, "a"));
  await signIn("a", "2");
  await tokens.openThread(USE);
  assertEquals(await refusal(tokens), null);
  await tokens.signOut("a");
  assertEquals((await refusal(tokens))?.[0], "SIGN_IN_REQUIRED");
});

test("two names of one issuer and client share a sign-in, and each works by its own configuration", async () => {
  const idps = { a: IDP, b: { ...IDP, redirect_port: 4_000 } };
  const { tokens, legs, signIn } = await start(idps);
  assertEquals(await refusal(tokens), null);
  await signIn("b", "2");
  assertEquals(await refusal(tokens), ["REAUTHORIZATION_REQUIRED", "replaced"]);
  assertEquals(await tokens.reauthorizeThread(USE), true);
  assertEquals(await refusal(tokens), null);
  const ports: (number | null)[] = [];
  legs.revoke = ({ redirectPort }) => {
    ports.push(redirectPort);
    return Promise.resolve({ kind: "revoked" });
  };
  assertEquals((await tokens.signOut("a")).revoked, "done");
  assertEquals((await refusal(tokens))?.[0], "SIGN_IN_REQUIRED");
  assertEquals((await tokens.signOut("b")).deleted, null, "it was signed out under the other name");
  const error = await assertRejects(() => tokens.token(USE), EnterpriseError);
  assertEquals(error.message.endsWith("Run: codex-mcp login --idp a"), true, error.message);
  await signIn("a", "3");
  await tokens.signOut("b");
  assertEquals(ports, [null, 4_000]);
  await tokens.loadConfiguration(configured({ a: IDP }, "a"));
  await signIn("a", "4");
  assertEquals(await tokens.reauthorizeThread(USE), true);
  assertEquals(await refusal(tokens), null, "it went with the other name");
});

test("nothing was loaded: no server, no name", () => {
  const routes = new ProviderRoutes();
  assertEquals(routes.all, []);
  assertEquals(assertThrows(() => routes.of("notes"), EnterpriseError).code, "CONFIGURATION_UNAVAILABLE");
  assertEquals(assertThrows(() => routes.named("a"), EnterpriseError).reason, "PROVIDER_UNKNOWN");
});
