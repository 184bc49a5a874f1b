import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { test } from "node:test";
import { createEnterpriseServers } from "../../../../../../adapters/mcp/host/enterprise/threads/create_enterprise_servers.ts";
import { HostError, type HostErrorCode } from "../../../../../../core/errors.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../../../core/enterprise/error.ts";
import { configurationOf, recordOf } from "../../../../http/fake_legs.ts";
import { ALICE, CONFIGURATION, fakeDeskParts } from "../fake_servers.ts";
import { deferred } from "../../deferred.ts";

const BOB = { user: "bob", workspace: null };

async function begin(changes: Parameters<typeof fakeDeskParts>[0] = {}) {
  const parts = await fakeDeskParts(changes);
  const enterprise = createEnterpriseServers(parts.options);
  await enterprise.load(CONFIGURATION);
  return { ...parts, enterprise };
}

async function rejects(
  work: () => Promise<unknown>,
  code: EnterpriseErrorCode | HostErrorCode,
): Promise<void> {
  const error = await assertRejects(work);
  assert(error instanceof EnterpriseError || error instanceof HostError);
  assertEquals(error.code, code, error.message);
}

test("a thread connects once, calls, and tells what it does", async () => {
  const { enterprise, events, legs } = await begin();
  enterprise.openThread("one", ALICE);
  const [connection, same] = await Promise.all([
    enterprise.connection("one", "notes"),
    enterprise.connection("one", "notes"),
  ]);
  assertEquals(connection, same);
  await connection.client.callTool({ name: "echo" });
  assertEquals(legs.asked, ["locate", "exchange id_token id-0", "redeem"]);
  assertEquals(enterprise.authorityOf("one", "notes"), { account: ALICE, generation: recordOf().generation });
  await enterprise.closeThread("one");
  assertEquals(connection.closed.aborted, true);
  assertEquals(events.map(({ kind, thread, account }) => [kind, thread, account]), [
    ["connected", "one", ALICE],
    ["disconnected", "one", ALICE],
  ]);
  await enterprise.close();
});

test("before a configuration, without a thread, for an unknown server and after the end: each says why", async () => {
  const { options } = await fakeDeskParts();
  const enterprise = createEnterpriseServers(options);
  await rejects(() => enterprise.connection("one", "notes"), "THREAD_CLOSED");
  enterprise.openThread("one", ALICE);
  await rejects(() => enterprise.connection("one", "notes"), "CONFIGURATION_UNAVAILABLE");
  assertEquals(enterprise.status("notes").kind, "configuration-unavailable");
  assertEquals(enterprise.refusal("one", "notes")?.code, "CONFIGURATION_UNAVAILABLE");
  await enterprise.load(CONFIGURATION);
  await rejects(() => enterprise.connection("one", "other"), "SERVER_UNKNOWN");
  await rejects(() => enterprise.reauthorize("one", "other"), "SERVER_UNKNOWN");
  assertThrows(() => enterprise.status("other", "one"), HostError);
  assertEquals(enterprise.authorityOf("nobody", "notes"), null);
  assertEquals(enterprise.refusal("nobody", "notes")?.code, "THREAD_CLOSED");
  await enterprise.close();
  await rejects(() => enterprise.connection("one", "notes"), "HOST_CLOSED");
  assertThrows(() => enterprise.openThread("two", ALICE), HostError);
  await rejects(() => enterprise.signOut(ALICE, "default"), "HOST_CLOSED");
});

test("a disabled server says which rule disables it, and one that requires the extension why it is refused", async () => {
  const { enterprise } = await begin();
  enterprise.openThread("one", ALICE);
  await enterprise.load(configurationOf({ http_headers: { a: "b" } }));
  await rejects(() => enterprise.connection("one", "notes"), "SERVER_DISABLED");
  assertEquals(enterprise.status("notes", "one").kind, "disabled");
  await enterprise.load(configurationOf({ require_extension: true }));
  await rejects(() => enterprise.connection("one", "notes"), "EXTENSION_REQUIRED");
  assertEquals(enterprise.status("notes", "one").kind, "extension-required");
  await enterprise.close();
});

test("a status without a thread is that of the account that was named last", async () => {
  const { enterprise } = await begin();
  enterprise.openThread("one", ALICE);
  await enterprise.readSignIn("one", "notes");
  assertEquals(enterprise.status("notes").kind, "ready");
  enterprise.openThread("two", BOB);
  assertEquals(enterprise.status("notes").kind, "signed-out");
  assertEquals(enterprise.status("notes", "one").kind, "ready");
  await enterprise.close();
});

test("looking finds the sign-in of whoever is signed in before any thread is there, and sends nothing", async () => {
  const { enterprise, legs } = await begin();
  assertEquals(enterprise.status("notes").kind, "signed-out"); // as far as was looked
  await enterprise.look();
  assertEquals(enterprise.status("notes").kind, "ready");
  assertEquals(legs.asked, []);
  await enterprise.close();
  await rejects(() => enterprise.look(), "HOST_CLOSED");
});

test("opening an open thread gives it the account, and a sign-in for supplied tokens is refused", async () => {
  const { enterprise, events } = await begin();
  enterprise.openThread("one", ALICE);
  await enterprise.connection("one", "notes");
  enterprise.openThread("one", { ...ALICE });
  assertEquals(enterprise.refusal("one", "notes"), null);
  enterprise.openThread("one", BOB);
  assert(
    events.some((event) => event.kind === "authorization-revoked" && event.reason === "account-changed"),
  );
  const identity = { tokens: () => Promise.resolve(null), rotated: () => Promise.resolve() };
  await rejects(
    () => enterprise.signIn({ ...ALICE, identity }, "default", () => Promise.resolve(recordOf())),
    "CONFIGURATION_REFUSED",
  );
  await rejects(
    () => enterprise.signIn(ALICE, "another", () => Promise.resolve(recordOf())),
    "CONFIGURATION_REFUSED",
  );
  await enterprise.close();
});

test("closing does not wait for an answer that never comes", { timeout: 60_000 }, async () => {
  const clock = { now: (): number => 1_000, sleep: (): Promise<boolean> => Promise.resolve(true) };
  const { enterprise, legs } = await begin({ clock });
  legs.redeem = () => new Promise(() => {});
  enterprise.openThread("one", ALICE);
  const connecting = assertRejects(() => enterprise.connection("one", "notes"), HostError);
  while (!legs.asked.some((one) => one.startsWith("exchange"))) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await enterprise.close();
  assertEquals((await connecting).code, "HOST_CLOSED");
});

test("when the time is over while a token is being got, the server is not blamed", async () => {
  const { enterprise, legs } = await begin();
  const gate = deferred<void>();
  legs.gate = gate.promise;
  enterprise.openThread("one", ALICE);
  const late = await assertRejects(
    () => enterprise.connection("one", "notes", { timeoutMs: 200 }),
    HostError,
  );
  assertEquals([late.code, late.message], [
    "SERVER_TIMEOUT",
    'Cannot connect to the server "notes": its access token did not come in time. ' +
    "Find out what does not answer: codex-mcp doctor notes",
  ]);
  gate.resolve();
  await enterprise.close();
});

test("when the time is over and the server is silent, it is the server that is not ready", async () => {
  const { enterprise, server } = await begin();
  server.before = () => new Promise<Response>(() => {});
  enterprise.openThread("one", ALICE);
  const late = await assertRejects(
    () => enterprise.connection("one", "notes", { timeoutMs: 500 }),
    HostError,
  );
  assertEquals(late.message, 'Cannot connect to the server "notes": it is not ready in its time');
  await enterprise.close();
});
