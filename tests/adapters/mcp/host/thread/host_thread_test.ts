import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { HostError } from "../../../../../core/errors.ts";
import { deferred } from "../deferred.ts";
import { serveInProcess } from "../in_process.ts";
import { emptyDesk, stdioEntry, threadRig } from "../thread_rig.ts";

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
const codeOf = (work: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(work).then(() => "delivered", (error: HostError) => error.code);

function waiting(): { readonly server: ReturnType<typeof serveInProcess>; readonly reached: Promise<void> } {
  const reached = deferred<void>();
  const server = serveInProcess((one) =>
    one.registerTool("wait", {}, () => {
      reached.resolve();
      return new Promise<never>(() => {});
    })
  );
  return { server, reached: reached.promise };
}

test("closing a thread ends its calls, and nobody else's", async () => {
  const { server, reached } = waiting();
  const rig = threadRig({
    s: server,
    other: serveInProcess((one) => one.registerTool("t", {}, () => said("ok"))),
  });
  const thread = rig.open();
  const call = thread.callTool("s", "wait");
  const unwatched = thread.callTool("s", "wait");
  await reached;
  await thread.close();
  await thread.close();
  assertEquals([await codeOf(call), await codeOf(unwatched)], ["THREAD_CLOSED", "THREAD_CLOSED"]);
  assertEquals(await codeOf(thread.callTool("s", "wait")), "THREAD_CLOSED");
  assertEquals(await codeOf(thread.tools("s")), "THREAD_CLOSED");
  assertEquals(await codeOf(rig.open().callTool("other", "t")), "delivered");
});

test("closing the host ends every call", async () => {
  const { server, reached } = waiting();
  const rig = threadRig({ s: server });
  const thread = rig.open();
  const call = thread.callTool("s", "wait");
  await reached;
  rig.closing.abort();
  assertEquals([await codeOf(call), await codeOf(thread.callTool("s", "wait"))], [
    "HOST_CLOSED",
    "HOST_CLOSED",
  ]);
});

test("what is wrong at once is the call's rejection, and tells what it was issued under", async () => {
  const server = serveInProcess((one) => one.registerTool("t", {}, () => said("ok")));
  const rig = threadRig({ s: server }, {
    entries: [stdioEntry("s", { enabledTools: ["t"] }), stdioEntry("off", { enabled: false })],
  });
  const thread = rig.open();
  const circle: Record<string, never> = {};
  circle["self"] = circle as never;
  const calls = [
    thread.callTool("nowhere", "t"),
    thread.callTool("__proto__", "t"),
    thread.callTool("off", "t"),
    thread.callTool("s", "forbidden"),
    thread.callTool("s", "t", circle),
    thread.callTool("s", "t", {}, { meta: circle }),
  ];
  assertEquals(await Promise.all(calls.map(codeOf)), [
    "SERVER_UNKNOWN",
    "SERVER_UNKNOWN",
    "SERVER_DISABLED",
    "TOOL_DISABLED",
    "JSON_MALFORMED",
    "JSON_MALFORMED",
  ]);
  assertEquals(calls.map(({ authority }) => authority.issued.tool), ["t", "t", "t", "forbidden", "t", "t"]);
  assertEquals(server.opened(), 0);
});

test("tools: those that may be used, and waiting for them can be given up", async () => {
  const server = serveInProcess((one) => {
    for (const name of ["a", "b", "c"]) one.registerTool(name, {}, () => said(name));
  });
  const rig = threadRig({ s: server }, { entries: [stdioEntry("s", { disabledTools: ["b"] })] });
  const thread = rig.open();
  assertEquals((await thread.tools("s")).map(({ name }) => name), ["a", "c"]);
  assertEquals(rig.servers.find("s")?.tools, 2);
  const { tools, source, fetchedAt } = await thread.listTools("s");
  assertEquals([tools.map(({ name }) => name), source, fetchedAt], [["a", "c"], "server", 7]);
  server.holding = new Promise(() => {});
  await server.drop();
  const giving = new AbortController();
  const listing = thread.tools("s", { signal: giving.signal });
  giving.abort();
  assertEquals(await codeOf(listing), "CALL_CANCELLED");
});

test("many calls of many threads at once, each with its own state, thread and answer", async () => {
  const server = serveInProcess(
    (one) => one.registerTool("who", {}, (context) => said(JSON.stringify(context.mcpReq._meta))),
    {
      capabilities: { experimental: { "codex/sandbox-state": {} } },
    },
  );
  const rig = threadRig({ s: server });
  await Promise.all(Array.from({ length: 40 }, async (_, index) => {
    const thread = rig.open({ id: `T${index % 10}`, sandbox: { state: { index } } });
    const heard: unknown[] = [];
    const { content } = await thread.callTool("s", "who", {}, {
      onProgress: (progress) => heard.push(progress),
    });
    const meta = JSON.parse((content[0] as { text: string }).text);
    assertEquals([meta.threadId, meta["codex/sandbox-state"], heard], [`T${index % 10}`, { index }, []]);
  }));
  assertEquals(server.opened() >= 1, true);
});

test("the account is copied, goes to the enterprise at once, and is in what a call is issued under", async () => {
  const told: unknown[] = [];
  const enterprise = emptyDesk({
    openThread: (_id, account) => void told.push(account?.user),
    setAccount: (_id, account) => void told.push(account?.user ?? null),
    closeThread: () => Promise.reject(new Error("late")),
  });
  const rig = threadRig({ s: serveInProcess((one) => one.registerTool("t", {}, () => said("ok"))) }, {
    enterprise,
  });
  const account = { user: "a", workspace: "w" };
  const thread = rig.open({ account });
  account.user = "changed";
  assertEquals(thread.account?.user, "a");
  const call = thread.callTool("s", "t");
  thread.setAccount({ user: "b", workspace: "w" });
  thread.setAccount(null);
  assertEquals([told, call.authority.issued.account?.user, thread.account], [["a", "b", null], "a", null]);
  await assertRejects(() => call.result, Error, "account"); // it was not sent yet, and would not be a's any more
  await thread.close();
  thread.setAccount(account);
  assert(told.length === 3 && !await thread.reauthorize("s").catch(() => false));
});

test("closing a closed thread leaves the next one of its id alone, and its status asks nobody", async () => {
  const did: string[] = [];
  const reports = [{ name: "e", kind: "enterprise", state: "ready" }, {
    name: "s",
    kind: "stdio",
    state: "idle",
  }];
  const rig = threadRig({}, {
    enterprise: emptyDesk({ closeThread: (id) => Promise.resolve(void did.push(`close ${id}`)) }),
    report: (id) => {
      did.push(`report ${id}`);
      return reports as never;
    },
  });
  const first = rig.open({ id: "x" });
  await first.close();
  rig.open({ id: "x" });
  await first.close();
  assertEquals(first.status().map(({ state }) => state), ["closed", "idle"]);
  assertEquals(did, ["report x", "close x"]);
});
