import type { Tool } from "@modelcontextprotocol/client";
import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { CallConnection } from "../../../../../adapters/mcp/host/call/run_call.ts";
import { ServerSlot } from "../../../../../adapters/mcp/host/servers/server_slot.ts";
import { ThreadLists } from "../../../../../adapters/mcp/host/thread/thread_lists.ts";
import type { ServerEntry } from "../../../../../core/configuration/entry.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import type { HostError } from "../../../../../core/errors.ts";
import { deferred } from "../deferred.ts";
import { serveInProcess } from "../in_process.ts";
import { stdioEntry, threadRig } from "../thread_rig.ts";

const { signal } = new AbortController();
const TOOLS = ["a", "b"].map((name) => ({ name, inputSchema: { type: "object" } }) as Tool);
const ENTERPRISE = { ...stdioEntry("e"), kind: "enterprise", server: {} } as unknown as ServerEntry;

const connectionOf = (number: number, grantGeneration = "g1"): CallConnection =>
  ({ number, grantGeneration }) as CallConnection;

/** Lists of one thread over a server that answers with what it is told, after `until`. */
function listsOver(entry: ServerEntry, until: Promise<void> = Promise.resolve()) {
  const kept = new Map<string, readonly Tool[]>();
  const lists = new ThreadLists({
    tools: async (_slot, { open, signal }) => {
      await open(signal);
      await until;
      return { tools: TOOLS, source: "server", fetchedAt: 0 };
    },
    definitions: {
      known: ({ name }) => Promise.resolve(kept.get(name) ?? []),
      changed: ({ name }) => Promise.resolve(void kept.delete(name)),
    },
  });
  const slot = new ServerSlot(entry, { key: "", connection: null });
  const list = async (connection = connectionOf(1)): Promise<readonly string[]> => {
    const use = { refresh: false, open: () => Promise.resolve(connection), signal };
    return (await lists.list(slot, use)).tools.map(({ name }) => name);
  };
  return { lists, slot, list, kept, knowledge: lists.knowledgeOf(slot, "b") };
}

test("of an ordinary server a call knows what is kept, until that is outdated", async () => {
  const { kept, knowledge, list, slot, lists } = listsOver(stdioEntry("s", { disabledTools: ["a"] }));
  assertEquals(await knowledge.known(connectionOf(1)), null);
  assertEquals([await list(), slot.tools, lists.usableAt("s")], [["b"], 1, 1]);
  assertEquals(await knowledge.known(connectionOf(1)), null);
  kept.set("s", TOOLS);
  assertEquals((await knowledge.known(connectionOf(1)))?.name, "b");
  await knowledge.outdated();
  assertEquals(await knowledge.known(connectionOf(1)), null);
  assertEquals((await knowledge.ask(connectionOf(1), signal))?.name, "b");
});

test("of an enterprise server it knows what its thread has listed under the same sign-in, over an earlier connection", async () => {
  const { knowledge, list, lists, slot, kept } = listsOver(ENTERPRISE);
  kept.set("e", TOOLS); // what nobody may look at
  assertEquals(await knowledge.known(connectionOf(2)), null);
  const known = async (connection: CallConnection): Promise<boolean> =>
    await knowledge.known(connection) !== null;
  await list();
  assertEquals([
    await known(connectionOf(1)),
    await known(connectionOf(2)),
    await known(connectionOf(2, "g2")),
  ], [
    false, // the SDK's own list of that connection counts, and it hears of changes
    true,
    false,
  ]);
  assertEquals([lists.usableAt("e"), slot.tools], [2, null]);
  lists.changed("e");
  assertEquals([await known(connectionOf(2)), lists.usableAt("e")], [false, 2]);
  await list();
  lists.accountChanged();
  assertEquals([await known(connectionOf(2)), lists.usableAt("e")], [false, null]);
});

test("what was listed for one account is not delivered to the next", async () => {
  const answer = deferred<void>();
  const enterprise = listsOver(ENTERPRISE, answer.promise);
  const ordinary = listsOver(stdioEntry("s"), answer.promise);
  const [own, shared] = [enterprise.list(), ordinary.list()];
  for (const { lists } of [enterprise, ordinary]) lists.accountChanged();
  answer.resolve();
  assertEquals((await assertRejects(() => own, EnterpriseError)).code, "REAUTHORIZATION_REQUIRED");
  assertEquals([await shared, enterprise.lists.usableAt("e")], [["a", "b"], null]);
});

test("a call that nobody listed for sends the header fields of what is kept, and its answer is checked", async () => {
  const inputSchema = {
    type: "object" as const,
    properties: { region: { type: "string" as const, "x-mcp-header": "Region" } },
  };
  const outputSchema = { type: "object" as const, properties: { n: { type: "number" as const } } };
  let answer: unknown = "no number";
  const server = serveInProcess((one) =>
    one.server.setRequestHandler("tools/call", () => ({ content: [], structuredContent: { n: answer } }))
  );
  const known = new Map([["s", [{ name: "t", inputSchema, outputSchema }]]]);
  const thread = threadRig({ s: server }, { known }).open();
  const error = await assertRejects(() => thread.callTool("s", "t", { region: "eu" }).result) as HostError;
  assertEquals(error.code, "RESULT_INVALID");
  assertEquals([known.size, server.headers.at(-1)?.get("mcp-param-region")], [0, "eu"]);
  // what did not hold is not held against the next
  assertEquals((await thread.callTool("s", "t", { region: "eu" })).structuredContent, { n: answer });
  known.set("s", [{ name: "t", inputSchema, outputSchema }]);
  answer = 7;
  assertEquals((await thread.callTool("s", "t", { region: "eu" })).structuredContent, { n: 7 });
  assertEquals(server.sent.filter((text) => text.includes("tools/list")), []);
});
