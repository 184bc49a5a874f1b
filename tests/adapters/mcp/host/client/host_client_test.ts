import type { Tool } from "@modelcontextprotocol/client";
import { inputRequired } from "@modelcontextprotocol/server";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { GuardedCall } from "../../../../../adapters/mcp/host/client/guarded_call.ts";
import type { HostClient } from "../../../../../adapters/mcp/host/client/host_client.ts";
import { HostError } from "../../../../../core/errors.ts";
import { deferred } from "../deferred.ts";
import { type InProcess, serveInProcess } from "../in_process.ts";
import { stdioEntry } from "../thread_rig.ts";

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });

async function clientOf(server: InProcess): Promise<HostClient> {
  return (await server.connect(stdioEntry("s")).open()).client as HostClient;
}

function guarded(changes: Partial<GuardedCall> = {}): GuardedCall {
  return {
    context: { server: "s", thread: "T", tool: "t", signal: new AbortController().signal },
    repeat: () => {},
    whileAsking: (work) => work(),
    pause: () => Promise.resolve(),
    ...changes,
  };
}

test("a result that breaks its promise is told from an error that the server sent", async () => {
  const promised = {
    type: "object" as const,
    properties: { n: { type: "number" as const } },
    required: ["n"],
  };
  const server = serveInProcess((one) => {
    one.registerTool("t", {}, () => ({ ...said("x"), structuredContent: { n: "no number" } }));
    one.server.setRequestHandler("tools/list", () => ({
      tools: [{ name: "t", inputSchema: { type: "object" as const }, outputSchema: promised }],
    }));
  });
  const client = await clientOf(server);
  await client.callGuarded({ name: "t", arguments: {} }, guarded()); // nothing is known of the promise yet
  await client.listTools();
  const broken = await client.callGuarded({ name: "t", arguments: {} }, guarded()).catch((error) => error);
  assertEquals([broken instanceof Error, client.cameFromOutside(broken)], [true, false]);
  const unknown = await client.callGuarded({ name: "nowhere", arguments: {} }, guarded()).catch((error) =>
    error
  );
  assertEquals([unknown instanceof Error, client.cameFromOutside(unknown)], [true, true]);
  assertEquals([client.cameFromOutside(null), client.cameFromOutside("text")], [false, false]);
});

test("a question that no host answers, or of a kind that nobody knows, ends the call", async () => {
  for (const method of ["elicitation/create", "tools/call", "constructor"]) {
    const server = serveInProcess((one) =>
      one.registerTool(
        "t",
        {},
        () => inputRequired({ inputRequests: { q: { method, params: {} } as never } }),
      )
    );
    const client = await clientOf(server);
    await assertRejects(() => client.callGuarded({ name: "t", arguments: {} }, guarded()));
  }
});

test("a server that only asks to be called again is called again, after a pause", async () => {
  let calls = 0;
  const server = serveInProcess((one) =>
    one.registerTool(
      "t",
      {},
      () => (calls += 1) < 3 ? inputRequired({ requestState: `state ${calls}` }) : said("ok"),
    )
  );
  const client = await clientOf(server);
  let pauses = 0;
  let repeats = 0;
  const result = await client.callGuarded(
    { name: "t", arguments: {} },
    guarded({ pause: () => Promise.resolve(void (pauses += 1)), repeat: () => void (repeats += 1) }),
  );
  assertEquals([result.content, pauses, repeats], [said("ok").content, 2, 4]);
  assert(server.sent.at(-1)?.includes('"requestState":"state 2"'));
});

test("a question finds its call: by its signal, or as the only one under way", async () => {
  const go = deferred<void>();
  const server = serveInProcess((one) => one.registerTool("t", {}, () => go.promise.then(() => said("ok"))));
  const client = await clientOf(server);
  const one = guarded();
  const two = guarded();
  const foreign = new AbortController().signal;
  assertEquals(client.callAsking(foreign), null);
  const first = client.callGuarded({ name: "t", arguments: {} }, one);
  assertEquals(client.callAsking(foreign), one);
  const second = client.callGuarded({ name: "t", arguments: {} }, two);
  assertEquals([client.callAsking(foreign), client.callAsking(two.context.signal)], [null, two]);
  go.resolve();
  await Promise.all([first, second]);
  assertEquals(client.callAsking(one.context.signal), null);
});

test("what the SDK sends a second time by itself is guarded like a further round", async () => {
  let calls = 0;
  const server = serveInProcess((one) =>
    one.server.setRequestHandler("tools/call", () => {
      calls += 1;
      // HEADER_MISMATCH: the SDK lists the tools and calls again
      if (calls === 1) throw Object.assign(new Error("headers"), { code: -32020 });
      return said("ok");
    })
  );
  const client = await clientOf(server);
  const refuse = guarded({
    repeat: () => {
      throw new HostError("CALL_CANCELLED", "changed");
    },
  });
  const error = await client.callGuarded({ name: "t", arguments: {} }, refuse).catch((thrown) => thrown);
  assert(error instanceof HostError, String(error));
  assertEquals(calls, 1);
});

test("while an earlier call may still be worked on, a question that names none is nobody's", async () => {
  const server = serveInProcess((one) => one.registerTool("t", {}, () => new Promise<never>(() => {})));
  const client = await clientOf(server);
  const ending = new AbortController();
  const given = guarded({ context: { ...guarded().context, signal: ending.signal } });
  const first = client.callGuarded({ name: "t", arguments: {} }, given).catch((error) => error);
  assertEquals(client.callAsking(new AbortController().signal), given);
  ending.abort("nobody waits any more");
  await first;
  const stop = new AbortController();
  const next = guarded({ context: { ...guarded().context, signal: stop.signal } });
  const second = client.callGuarded({ name: "t", arguments: {} }, next).catch((error) => error);
  assertEquals([client.callAsking(new AbortController().signal), client.callAsking(stop.signal)], [
    null,
    next,
  ]);
  stop.abort();
  await second;
});

const TOOL = { name: "t", inputSchema: { type: "object" as const } };

test("an answer is held against what is known of the tool; what is not checked is delivered and told", async () => {
  const server = serveInProcess((one) =>
    one.registerTool("t", {}, () => ({ ...said("x"), structuredContent: { n: "no number" } }))
  );
  const client = await clientOf(server);
  const told: string[] = [];
  client.onUnchecked = (tool) => void told.push(tool);
  const promising = (n: object): GuardedCall =>
    guarded({ definition: { ...TOOL, outputSchema: { type: "object", properties: { n } } } as Tool });
  const broken = await client.callGuarded({ name: "t" }, promising({ type: "number" })).catch((error) =>
    error
  );
  assert(broken instanceof Error && !client.cameFromOutside(broken));
  const checked = await client.callGuarded({ name: "t" }, promising({ pattern: "^no" }));
  assertEquals([checked.structuredContent, told], [{ n: "no number" }, []]);
  await client.callGuarded({ name: "t" }, promising({ pattern: "(?=never)" }));
  assertEquals(told, ["t"]);
});

test("header fields that do not hold: the tool is asked for anew, and the call is repeated once", async () => {
  let calls = 0;
  let mismatches = 1;
  const server = serveInProcess((one) =>
    one.server.setRequestHandler("tools/call", () => {
      calls += 1;
      if (calls <= mismatches) throw Object.assign(new Error("headers"), { code: -32020 });
      return said("ok");
    })
  );
  const client = await clientOf(server);
  const did: string[] = [];
  const call = (fresh: Tool | null): GuardedCall =>
    guarded({
      definition: TOOL,
      repeat: () => void did.push("guard"),
      renew: () => Promise.resolve(did.push("renew")).then(() => fresh),
    });
  assertEquals((await client.callGuarded({ name: "t" }, call(TOOL))).content, said("ok").content);
  assertEquals([calls, did], [2, ["renew", "guard"]]);
  calls = 0;
  mismatches = 9;
  await assertRejects(() => client.callGuarded({ name: "t" }, call(TOOL)));
  assertEquals(calls, 2);
  calls = 0;
  await assertRejects(() => client.callGuarded({ name: "t" }, call(null)));
  assertEquals(calls, 1);
  assert(!server.sent.join().includes("tools/list"));
});
