import { inputRequired } from "@modelcontextprotocol/server";
import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { ServerEntry } from "../../../../../core/configuration/entry.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import type { CodexMcpError } from "../../../../../core/errors.ts";
import { HostError } from "../../../../../core/errors.ts";
import { advertiseSandboxState } from "../../../../../core/sandbox/capability.ts";
import { registerInput } from "../../../../../adapters/mcp/host/client/registration.ts";
import { deferred } from "../deferred.ts";
import { serveInProcess } from "../in_process.ts";
import { emptyDesk, stdioEntry, threadRig } from "../thread_rig.ts";

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });

async function codeOf(call: PromiseLike<unknown>): Promise<string> {
  const error = await Promise.resolve(call).then(() => null, (thrown: CodexMcpError) => thrown);
  return error?.code ?? "delivered";
}

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

test("cancelled before, during and after connecting, and between rounds", async () => {
  const before = new AbortController();
  before.abort();
  const rig = threadRig({ s: asking() });
  assertEquals(
    await codeOf(rig.open().callTool("s", "ask", {}, { signal: before.signal })),
    "CALL_CANCELLED",
  );

  const stuck = asking();
  stuck.holding = new Promise(() => {});
  const connecting = threadRig({ s: stuck }).open().callTool("s", "ask");
  connecting.cancel();
  assertEquals(await codeOf(connecting), "CALL_CANCELLED");
  assertEquals(connecting.authority.sent, null);

  const server = asking();
  const rounds = threadRig({ s: server });
  server.prepare = (client) =>
    registerInput(client, {
      server: "s",
      thread: null,
      handlers: {
        elicit: (_params, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("gone")));
            call.cancel();
          }),
      },
    });
  const call = rounds.open().callTool("s", "ask");
  assertEquals(await codeOf(call), "CALL_CANCELLED");
  assertEquals(server.sent.filter((text) => text.includes('"tools/call"')).length, 1);
});

test("a deadline covers connecting, and stands still while somebody is asked", async () => {
  const stuck = asking();
  stuck.holding = new Promise(() => {});
  const late = threadRig({ s: stuck }).open().callTool("s", "ask", {}, { timeoutMs: 20 });
  assertEquals(await codeOf(late), "CALL_TIMEOUT");

  const server = asking();
  server.prepare = (client) =>
    registerInput(client, {
      server: "s",
      thread: null,
      handlers: {
        elicit: async () => {
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          return { action: "accept", content: {} };
        },
      },
    });
  const rig = threadRig({ s: server });
  await rig.servers.require("s").connection!.open(); // connecting takes its time too
  assertEquals(await codeOf(rig.open().callTool("s", "ask", {}, { timeoutMs: 1_200 })), "delivered");
});

test("an unknown tool, an error of the server and a result that breaks its promise are told apart", async () => {
  const server = serveInProcess((one) => {
    one.registerTool("broken", {}, () => said("no structured content"));
    one.registerTool("fails", {}, () => {
      throw new Error("out of order");
    });
  });
  const rig = threadRig({ s: server });
  const thread = rig.open();
  const unknown = await assertRejects(() => thread.callTool("s", "nowhere").result, HostError);
  assertEquals([unknown.code, unknown.rpcCode, unknown.server], ["TOOL_UNKNOWN", -32602, "s"]);
  const failed = await thread.callTool("s", "fails");
  assertEquals([failed.isError, JSON.stringify(failed.content).includes("out of order")], [true, true]);
});

test("a connection that goes away ends the call, and the next call gets another one", async () => {
  const reached = deferred<void>();
  const server = serveInProcess((one) => {
    one.registerTool("hang", {}, async () => {
      reached.resolve();
      return await new Promise<never>(() => {});
    });
    one.registerTool("t", {}, () => said("ok"));
  }, { legacy: true });
  const rig = threadRig({ s: server });
  const thread = rig.open();
  const call = thread.callTool("s", "hang");
  await reached.promise;
  await server.drop();
  assertEquals(await codeOf(call), "CONNECTION_LOST");
  const next = thread.callTool("s", "t");
  assertEquals([await codeOf(next), next.authority.sent?.connection], ["delivered", 2]);
});

test("progress is heard while the call is under way, and not after", async () => {
  const late = deferred<void>();
  const server = serveInProcess((one) =>
    one.registerTool("t", {}, async (context) => {
      const progressToken = context.mcpReq._meta?.progressToken;
      const tell = async (progress: number) => {
        if (progressToken === undefined) return;
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress },
        });
      };
      await tell(1);
      setTimeout(() => void tell(2).catch(() => {}).finally(() => late.resolve()), 20);
      return said("ok");
    }), { legacy: true });
  const rig = threadRig({ s: server });
  const heard: number[] = [];
  await rig.open().callTool("s", "t", {}, { onProgress: ({ progress }) => void heard.push(progress) });
  await late.promise;
  assertEquals(heard, [1]);
  const throwing = rig.open().callTool("s", "t", {}, {
    onProgress: () => {
      throw new Error("a listener's own fault");
    },
  });
  assertEquals(await codeOf(throwing), "delivered");
});

test("a connection that was ended because its sign-in was revoked says why", async () => {
  const reached = deferred();
  const server = serveInProcess((one) =>
    one.registerTool("hang", {}, () => {
      reached.resolve();
      return new Promise<never>(() => {});
    }), { legacy: true });
  const revoked = new AbortController();
  const connection = server.connect(stdioEntry("e"));
  const why = new EnterpriseError("REAUTHORIZATION_REQUIRED", "Cannot use the server");
  const enterprise = emptyDesk({
    authorityOf: () => ({ account: null, generation: "g1" }),
    connection: async () =>
      ({ ...await connection.open(), grantGeneration: "g1", revoked: revoked.signal }) as never,
  });
  const entry = { ...stdioEntry("e"), kind: "enterprise", server: {} } as unknown as ServerEntry;
  const call = threadRig({}, { enterprise, entries: [entry] }).open().callTool("e", "hang");
  assertEquals(call.authority.issued.generation, "g1");
  await reached.promise;
  assertEquals(call.authority.sent?.generation, "g1");
  revoked.abort(why);
  await server.drop();
  assertEquals(await codeOf(call), "REAUTHORIZATION_REQUIRED");
});

test("a call is not sent with another sign-in than it was issued with", async () => {
  const server = serveInProcess((one) => one.registerTool("t", {}, () => said("ok")));
  const connection = server.connect(stdioEntry("e"));
  let generation = "g1";
  const enterprise = emptyDesk({
    authorityOf: () => ({ account: null, generation }),
    connection: async () => {
      const open = await connection.open();
      generation = "g2";
      return { ...open, grantGeneration: "g2", revoked: new AbortController().signal } as never;
    },
  });
  const entry = { ...stdioEntry("e"), kind: "enterprise", server: {} } as unknown as ServerEntry;
  const call = threadRig({}, { enterprise, entries: [entry] }).open().callTool("e", "t");
  assertEquals(await codeOf(call), "AUTHORITY_CHANGED");
  assertEquals(server.sent.some((text) => text.includes("tools/call")), false);
});
