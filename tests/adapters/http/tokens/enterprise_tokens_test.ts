import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { inspect } from "node:util";
import type { AuthorizationEffect } from "../../../../core/enterprise/authorization/event.ts";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { EnterpriseTokens } from "../../../../adapters/http/tokens/enterprise_tokens.ts";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { configurationOf, OWNER, recordOf, startFakeHost, store, USE } from "../fake_legs.ts";

test("the same configuration again keeps everything, another one revokes", async () => {
  const { tokens } = await startFakeHost();
  assertEquals(await tokens.token(USE), "bearer-1");
  await tokens.loadConfiguration(configurationOf());
  assertEquals(await tokens.token(USE), "bearer-1");
  await tokens.loadConfiguration(configurationOf({ scopes: ["other"] }));
  const error = await assertRejects(() => tokens.token(USE), EnterpriseError);
  assertEquals([error.code, error.reason], ["REAUTHORIZATION_REQUIRED", "registration-changed"]);
  assertEquals(await tokens.reauthorizeThread(USE), true);
  assertEquals(await tokens.token(USE), "bearer-2");
});

test("a server that is disabled or gone is refused by name", async () => {
  const { tokens } = await startFakeHost();
  await tokens.token(USE);
  await tokens.loadConfiguration(configurationOf({ http_headers: { authorization: "x" } }));
  assertEquals((await assertRejects(() => tokens.token(USE), EnterpriseError)).code, "SERVER_DISABLED");
  assertEquals(tokens.status("notes").kind, "disabled");
  const unknown = await assertRejects(
    () => tokens.token({ thread: "one", server: "other" }),
    EnterpriseError,
  );
  assertEquals(unknown.reason, "SERVER_UNKNOWN");
});

test("a server that is switched off is refused by that, and switching it on again revives nothing", async () => {
  const effects: AuthorizationEffect[] = [];
  const { tokens } = await startFakeHost({ onEffect: (effect) => void effects.push(effect) });
  await tokens.token(USE);
  effects.length = 0;
  await tokens.loadConfiguration(configurationOf({ enabled: false }));
  assertEquals(effects.map(({ kind }) => kind), ["cancel-pending", "drop-lease", "revoke-thread"]);
  const error = await assertRejects(() => tokens.token(USE), EnterpriseError);
  assertEquals([error.code, error.reason], ["SERVER_DISABLED", "SWITCHED_OFF"]);
  assertEquals(error.message.includes("mcp_servers.notes.enabled"), true, error.message);
  assertEquals(tokens.status("notes", "one").kind, "disabled");
  assertEquals(await tokens.reauthorizeThread(USE), false);
  await tokens.loadConfiguration(configurationOf());
  const back = await assertRejects(() => tokens.token(USE), EnterpriseError);
  assertEquals([back.code, back.reason], ["REAUTHORIZATION_REQUIRED", "server-disabled"]);
  assertEquals(await tokens.reauthorizeThread(USE), true);
  assertEquals(await tokens.token(USE), "bearer-2");
  const never = await startFakeHost({ members: { enabled: false } });
  const off = await assertRejects(() => never.tokens.token(USE), EnterpriseError);
  assertEquals([off.reason, never.legs.asked], ["SWITCHED_OFF", []]);
});

test("threads that were opened before a sign-in are authorized when they are opened again", async () => {
  const { tokens, source } = await startFakeHost();
  await tokens.signOut("default");
  await tokens.openThread(USE);
  assertEquals((await assertRejects(() => tokens.token(USE), EnterpriseError)).code, "SIGN_IN_REQUIRED");
  await store(source, recordOf({ generation: "02".repeat(16) }));
  assertEquals(
    (await assertRejects(() => tokens.token(USE), EnterpriseError)).code,
    "REAUTHORIZATION_REQUIRED",
  );
  await tokens.openThread(USE);
  assertEquals(await tokens.token(USE), "bearer-1");
  tokens.closeThread("one");
  assertEquals(await tokens.token(USE), "bearer-1");
});

test("a stream's signal is aborted by a revocation, and the next one is a new one", async () => {
  const { tokens } = await startFakeHost();
  await tokens.token(USE);
  const signal = tokens.revocation(USE);
  await tokens.signOut("default");
  assertEquals([signal.aborted, tokens.revocation(USE).aborted], [true, false]);
});

test("before a configuration nothing works, and an unknown identity provider is refused", async () => {
  const { tokens, legs, source } = await startFakeHost();
  const unknown = await assertRejects(
    () => tokens.signIn("acme", () => Promise.resolve(recordOf())),
    EnterpriseError,
  );
  assertEquals(unknown.reason, "PROVIDER_UNKNOWN");
  const options = {
    legs,
    clock: { now: () => 0, sleep: () => Promise.resolve(true) },
    digest: createDigest(),
    runtime: createEdgeRuntime(),
  };
  const empty = new EnterpriseTokens({ ...options, grants: () => source });
  assertEquals(
    (await assertRejects(() => empty.openThread(USE), EnterpriseError)).code,
    "CONFIGURATION_UNAVAILABLE",
  );
  tokens.configurationUnavailable();
  assertEquals(
    (await assertRejects(() => tokens.token(USE), EnterpriseError)).code,
    "CONFIGURATION_UNAVAILABLE",
  );
  tokens.rejectConfiguration({ field: "a.b", layer: null });
  const rejected = await assertRejects(() => tokens.token(USE), EnterpriseError);
  assertEquals([rejected.code, rejected.field], ["CONFIGURATION_REFUSED", "a.b"]);
});

test("what a server says about the extension is in the status", async () => {
  const { tokens } = await startFakeHost();
  await tokens.token(USE);
  assertEquals(tokens.status("notes"), { kind: "ready", until: null, extension: "unknown" });
  tokens.noteExtension("notes", "advertised");
  assertEquals(tokens.status("notes"), { kind: "ready", until: null, extension: "advertised" });
});

test("a host that has accounts says whose it is", async () => {
  const { tokens } = await startFakeHost({ ownerFrom: "host" });
  assertEquals((await assertRejects(() => tokens.token(USE), EnterpriseError)).code, "SIGN_IN_REQUIRED");
  await tokens.setAccount(OWNER);
  await tokens.openThread(USE);
  assertEquals(await tokens.token(USE), "bearer-1");
  await tokens.setAccount({ ...OWNER, workspace: "acme" });
  assertEquals((await assertRejects(() => tokens.token(USE), EnterpriseError)).code, "SIGN_IN_REQUIRED");
});

test("nothing that is printed shows a token", async () => {
  const { tokens } = await startFakeHost();
  await tokens.token(USE);
  const text = inspect([tokens, tokens.authProvider(USE)], { depth: 12, showHidden: true }) +
    JSON.stringify(tokens);
  for (const secret of ["bearer-1", "refresh-0", "id-0"]) assert(!text.includes(secret));
});
