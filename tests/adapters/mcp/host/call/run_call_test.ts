import { inputRequired } from "@modelcontextprotocol/server";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { z } from "zod";
import type { CodexMcpError } from "../../../../../core/errors.ts";
import { SandboxError } from "../../../../../core/errors.ts";
import { advertiseSandboxState } from "../../../../../core/sandbox/capability.ts";
import { registerInput } from "../../../../../adapters/mcp/host/client/registration.ts";
import { deferred } from "../deferred.ts";
import { lastSent, serveInProcess } from "../in_process.ts";
import { stdioEntry, threadRig } from "../thread_rig.ts";

const TEXT = '{"limit": 9007199254740993, "z": 1, "a": 1.0}';
const said = (text: string) => ({ content: [{ type: "text" as const, text }] });

async function codeOf(call: PromiseLike<unknown>): Promise<string> {
  const error = await Promise.resolve(call).then(() => null, (thrown: CodexMcpError) => thrown);
  return error?.code ?? "delivered";
}

test("the state goes out as the text that it came as, under both names, with the launcher over stdio alone", async () => {
  for (const transport of ["stdio", "http"] as const) {
    const server = serveInProcess((one) => one.registerTool("t", {}, () => said("ok")), {
      capabilities: advertiseSandboxState(),
      transport,
    });
    const rig = threadRig({ s: server });
    rig.launchers.add("/opt/codex");
    const thread = rig.open({ id: "T", sandbox: { stateText: TEXT, launcher: "/opt/codex" } });
    const call = thread.callTool("s", "t", { x: 1 }, {
      meta: { "codex/sandbox-state": "stale", progressToken: 99, callId: "c1" },
    });
    assertEquals((await call).content, said("ok").content);
    const wire = server.sent.at(-1)!;
    assertEquals(wire.split(TEXT).length - 1, 2);
    const meta = (lastSent(server, "tools/call")["params"] as { _meta: Record<string, unknown> })._meta;
    assertEquals([meta["callId"], meta["threadId"], "progressToken" in meta], ["c1", "T", false]);
    assertEquals(
      meta["codex/sandbox-launcher"],
      transport === "stdio" ? { codexExecutable: "/opt/codex" } : undefined,
    );
    const { sent } = call.authority;
    assertEquals([sent?.stateText, sent?.launcher, sent?.noLauncher, sent?.connection], [
      TEXT,
      transport === "stdio" ? "/opt/codex" : null,
      transport === "stdio" ? null : "not-stdio",
      1,
    ]);
  }
});

test("a server that did not opt in, or is of another environment, gets nothing, and the call says why", async () => {
  const plain = serveInProcess((one) => one.registerTool("t", {}, () => said("ok")));
  const remote = serveInProcess((one) => one.registerTool("t", {}, () => said("ok")), {
    capabilities: advertiseSandboxState(),
  });
  const rig = threadRig({ plain, remote }, {
    entries: [stdioEntry("plain"), stdioEntry("remote", { environment: "farm" })],
  });
  const thread = rig.open({ sandbox: { state: { a: 1 } } });
  for (
    const [name, server, reason] of [["plain", plain, "not-accepted"], [
      "remote",
      remote,
      "other-environment",
    ]] as const
  ) {
    const call = thread.callTool(name, "t");
    await call;
    assertEquals(call.authority.sent?.noState, reason);
    assert(!server.sent.join().includes("codex/sandbox"));
  }
  thread.setSandbox({ environment: "farm", state: { b: 2 } });
  await thread.callTool("remote", "t");
  assert(remote.sent.join().includes('"codex/sandbox-state":{"b":2}'));
});

test("what a call is issued under is what was there when it was issued", async () => {
  const server = serveInProcess(
    (one) => one.registerTool("t", { inputSchema: z.object({ x: z.number() }) }, () => said("ok")),
    {
      capabilities: advertiseSandboxState(),
    },
  );
  const hold = deferred<void>();
  server.holding = hold.promise;
  const rig = threadRig({ s: server });
  const state = { a: 1 };
  const thread = rig.open({ sandbox: { state } });
  state.a = 2;
  const args = { x: 1 };
  const meta = { mine: { deep: 1 } };
  const call = thread.callTool("s", "t", args, { meta });
  args.x = 7;
  meta.mine.deep = 7;
  thread.setSandbox({ state: { a: 3 } });
  hold.resolve();
  await call;
  const params = lastSent(server, "tools/call")["params"] as {
    arguments: unknown;
    _meta: Record<string, unknown>;
  };
  assertEquals([params.arguments, params._meta["mine"], params._meta["codex/sandbox-state"]], [
    { x: 1 },
    { deep: 1 },
    { a: 1 },
  ]);
});

/** A tool that asks once, and says what it was answered and under which state it was asked and answered. */
function asking(): ReturnType<typeof serveInProcess> {
  return serveInProcess((one) =>
    one.registerTool("ask", {}, (context) => {
      const { inputResponses } = context.mcpReq;
      if (inputResponses === undefined) {
        return inputRequired({
          inputRequests: {
            name: inputRequired.elicit({
              message: "Who?",
              requestedSchema: { type: "object", properties: { who: { type: "string" } } },
            }),
          },
          requestState: "kept",
        });
      }
      return said(JSON.stringify(inputResponses));
    }), { capabilities: advertiseSandboxState() });
}

test("a further request of a call carries the authority of the first", async () => {
  const server = asking();
  const rig = threadRig({ s: server });
  const thread = rig.open({ id: "T", sandbox: { stateText: TEXT } });
  const asked: unknown[] = [];
  server.prepare = (client) =>
    registerInput(client, {
      server: "s",
      thread: null,
      handlers: {
        elicit: (params, context) => {
          asked.push([params.message, context.thread, context.tool, context.server]);
          return Promise.resolve({ action: "accept", content: { who: "me" } });
        },
      },
    });
  const result = await thread.callTool("s", "ask");
  assert(JSON.stringify(result.content).includes("me"));
  assertEquals(asked, [["Who?", "T", "ask", "s"]]);
  const calls = server.sent.filter((text) => text.includes('"tools/call"'));
  assertEquals(calls.map((text) => text.split(TEXT).length - 1), [2, 2]);
});

test("a further request is refused when the authority has changed meanwhile, and is not sent", async () => {
  for (const change of ["state", "account", "server", "tool"] as const) {
    const server = asking();
    const rig = threadRig({ s: server });
    const thread = rig.open({ sandbox: { state: { a: 1 } } });
    server.prepare = (client) =>
      registerInput(client, {
        server: "s",
        thread: null,
        handlers: {
          elicit: () => {
            if (change === "state") thread.setSandbox({ state: { a: 2 } });
            if (change === "account") thread.setAccount({ user: "other", workspace: "w" });
            if (change === "server") rig.configure();
            if (change === "tool") rig.configure(stdioEntry("s", { disabledTools: ["ask"] }));
            return Promise.resolve({ action: "accept", content: {} });
          },
        },
      });
    const error = await assertRejects(() => thread.callTool("s", "ask").result, SandboxError);
    assertEquals(error.code, "AUTHORITY_CHANGED");
    assertEquals(server.sent.filter((text) => text.includes('"tools/call"')).length, 1);
  }
});

test("the same state in other words is no change", async () => {
  const server = asking();
  const rig = threadRig({ s: server });
  const thread = rig.open({ sandbox: { stateText: '{"a":1,"b":2}' } });
  server.prepare = (client) =>
    registerInput(client, {
      server: "s",
      thread: null,
      handlers: {
        elicit: () => {
          thread.setSandbox({ stateText: '{ "b": 2.0, "a": 1 }' });
          return Promise.resolve({ action: "decline" });
        },
      },
    });
  assertEquals(await codeOf(thread.callTool("s", "ask")), "delivered");
});

test("a question that nobody answers ends the call", async () => {
  const rig = threadRig({ s: asking() });
  assertEquals(await codeOf(rig.open().callTool("s", "ask")), "INPUT_REQUIRED");
});

test("a plain answer is delivered although the authority changed; one over a resumed stream is not", async () => {
  for (const resumed of [false, true]) {
    const reached = deferred<void>();
    const go = deferred<void>();
    const server = serveInProcess((one) =>
      one.registerTool("slow", {}, async () => {
        reached.resolve();
        await go.promise;
        return said("late");
      }), { capabilities: advertiseSandboxState() });
    const rig = threadRig({ s: server });
    const thread = rig.open({ sandbox: { state: { a: 1 } } });
    const call = thread.callTool("s", "slow");
    await reached.promise;
    thread.setSandbox({ state: { a: 2 } });
    if (resumed) server.resumptions += 1;
    go.resolve();
    assertEquals(await codeOf(call), resumed ? "AUTHORITY_CHANGED" : "delivered");
  }
});
