import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { test } from "node:test";
import { createEnterpriseDesk } from "../../../../../../adapters/mcp/host/enterprise/threads/create_enterprise_servers.ts";
import { HostError, type HostErrorCode } from "../../../../../../core/errors.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../../../core/enterprise/error.ts";
import { configurationOf, recordOf } from "../../../../http/fake_legs.ts";
import { ALICE, CONFIGURATION, fakeDeskParts } from "../fake_desk.ts";
import { deferred } from "../../deferred.ts";

const BOB = { user: "bob", workspace: null };

async function begin(changes: Parameters<typeof fakeDeskParts>[0] = {}) {
  const parts = await fakeDeskParts(changes);
  const desk = createEnterpriseDesk(parts.options);
  await desk.load(CONFIGURATION);
  return { ...parts, desk };
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
  const { desk, events, legs } = await begin();
  desk.openThread("one", ALICE);
  const [connection, same] = await Promise.all([
    desk.connection("one", "notes"),
    desk.connection("one", "notes"),
  ]);
  assertEquals(connection, same);
  await connection.client.callTool({ name: "echo" });
  assertEquals(legs.asked, ["locate", "exchange id_token id-0", "redeem"]);
  assertEquals(desk.authorityOf("one", "notes"), { account: ALICE, generation: recordOf().generation });
  await desk.closeThread("one");
  assertEquals(connection.closed.aborted, true);
  assertEquals(events.map(({ kind, thread, account }) => [kind, thread, account]), [
    ["connected", "one", ALICE],
    ["disconnected", "one", ALICE],
  ]);
  await desk.close();
});

test("before a configuration, without a thread, for an unknown server and after the end: each says why", async () => {
  const { options } = await fakeDeskParts();
  const desk = createEnterpriseDesk(options);
  await rejects(() => desk.connection("one", "notes"), "THREAD_CLOSED");
  desk.openThread("one", ALICE);
  await rejects(() => desk.connection("one", "notes"), "CONFIGURATION_UNAVAILABLE");
  assertEquals(desk.status("notes").kind, "configuration-unavailable");
  assertEquals(desk.refusal("one", "notes")?.code, "CONFIGURATION_UNAVAILABLE");
  await desk.load(CONFIGURATION);
  await rejects(() => desk.connection("one", "other"), "SERVER_UNKNOWN");
  await rejects(() => desk.reauthorize("one", "other"), "SERVER_UNKNOWN");
  assertThrows(() => desk.status("other", "one"), HostError);
  assertEquals(desk.authorityOf("nobody", "notes"), null);
  assertEquals(desk.refusal("nobody", "notes")?.code, "THREAD_CLOSED");
  await desk.close();
  await rejects(() => desk.connection("one", "notes"), "HOST_CLOSED");
  assertThrows(() => desk.openThread("two", ALICE), HostError);
  await rejects(() => desk.signOut(ALICE, "default"), "HOST_CLOSED");
});

test("a disabled server says which rule disables it, and one that requires the extension why it is refused", async () => {
  const { desk } = await begin();
  desk.openThread("one", ALICE);
  await desk.load(configurationOf({ http_headers: { a: "b" } }));
  await rejects(() => desk.connection("one", "notes"), "SERVER_DISABLED");
  assertEquals(desk.status("notes", "one").kind, "disabled");
  await desk.load(configurationOf({ require_extension: true }));
  await rejects(() => desk.connection("one", "notes"), "EXTENSION_REQUIRED");
  assertEquals(desk.status("notes", "one").kind, "extension-required");
  await desk.close();
});

test("a status without a thread is that of the account that was named last", async () => {
  const { desk } = await begin();
  desk.openThread("one", ALICE);
  await desk.readSignIn("one", "notes");
  assertEquals(desk.status("notes").kind, "ready");
  desk.openThread("two", BOB);
  assertEquals(desk.status("notes").kind, "signed-out");
  assertEquals(desk.status("notes", "one").kind, "ready");
  await desk.close();
});

test("looking finds the sign-in of whoever is signed in before any thread is there, and sends nothing", async () => {
  const { desk, legs } = await begin();
  assertEquals(desk.status("notes").kind, "signed-out"); // as far as was looked
  await desk.look();
  assertEquals(desk.status("notes").kind, "ready");
  assertEquals(legs.asked, []);
  await desk.close();
  await rejects(() => desk.look(), "HOST_CLOSED");
});

test("opening an open thread gives it the account, and a sign-in for supplied tokens is refused", async () => {
  const { desk, events } = await begin();
  desk.openThread("one", ALICE);
  await desk.connection("one", "notes");
  desk.openThread("one", { ...ALICE });
  assertEquals(desk.refusal("one", "notes"), null);
  desk.openThread("one", BOB);
  assert(
    events.some((event) => event.kind === "authorization-revoked" && event.reason === "account-changed"),
  );
  const identity = { tokens: () => Promise.resolve(null), rotated: () => Promise.resolve() };
  await rejects(
    () => desk.signIn({ ...ALICE, identity }, "default", () => Promise.resolve(recordOf())),
    "CONFIGURATION_REFUSED",
  );
  await rejects(
    () => desk.signIn(ALICE, "another", () => Promise.resolve(recordOf())),
    "CONFIGURATION_REFUSED",
  );
  await desk.close();
});

test("closing does not wait for an answer that never comes", { timeout: 60_000 }, async () => {
  const clock = { now: (): number => 1_000, sleep: (): Promise<boolean> => Promise.resolve(true) };
  const { desk, legs } = await begin({ clock });
  legs.redeem = () => new Promise(() => {});
  desk.openThread("one", ALICE);
  const connecting = assertRejects(() => desk.connection("one", "notes"), HostError);
  while (!legs.asked.some((one) => one.startsWith("exchange"))) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await desk.close();
  assertEquals((await connecting).code, "HOST_CLOSED");
});

test("when the time is over while a token is being got, the server is not blamed", async () => {
  const { desk, legs } = await begin();
  const gate = deferred<void>();
  legs.gate = gate.promise;
  desk.openThread("one", ALICE);
  const late = await assertRejects(() => desk.connection("one", "notes", { timeoutMs: 200 }), HostError);
  assertEquals([late.code, late.message], [
    "SERVER_TIMEOUT",
    'Cannot connect to the server "notes": its access token did not come in time. ' +
    "Find out what does not answer: codex-mcp doctor notes",
  ]);
  gate.resolve();
  await desk.close();
});

test("when the time is over and the server is silent, it is the server that is not ready", async () => {
  const { desk, server } = await begin();
  server.before = () => new Promise<Response>(() => {});
  desk.openThread("one", ALICE);
  const late = await assertRejects(() => desk.connection("one", "notes", { timeoutMs: 500 }), HostError);
  assertEquals(late.message, 'Cannot connect to the server "notes": it is not ready in its time');
  await desk.close();
});
