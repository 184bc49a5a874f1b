import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createEnterpriseServers } from "../../../../../../adapters/mcp/host/enterprise/threads/create_enterprise_servers.ts";
import { HostError } from "../../../../../../core/errors.ts";
import { ALICE, CONFIGURATION, fakeDeskParts } from "../fake_servers.ts";
import { deferred } from "../../deferred.ts";

async function connected(changes: Parameters<typeof fakeDeskParts>[0] = {}) {
  const parts = await fakeDeskParts(changes);
  const enterprise = createEnterpriseServers(parts.options);
  await enterprise.load(CONFIGURATION);
  enterprise.openThread("one", ALICE);
  return { ...parts, enterprise, connection: await enterprise.connection("one", "notes") };
}

test("one that ends lets the call in flight return, and is closed after that", async () => {
  const { enterprise, server, connection } = await connected();
  const gate = deferred<void>();
  server.before = (request) => {
    server.before = null;
    return gate.promise.then(() => answer(request));
  };
  const inFlight = connection.client.callTool({ name: "echo" });
  while (server.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  enterprise.setAccount("one", null);
  assertEquals([connection.revoked.aborted, connection.closed.aborted], [true, false]);
  gate.resolve();
  assertEquals((await inFlight).content, [{ type: "text", text: "late" }]);
  if (!connection.closed.aborted) {
    await new Promise<void>((resolve) => connection.closed.addEventListener("abort", () => resolve()));
  }
  await enterprise.close();
});

test("one whose client is closed, or whose session the server has forgotten, is made anew", async () => {
  const { enterprise, server, events, connection } = await connected();
  await connection.client.close();
  assert(connection.closed.aborted && connection.closed.reason instanceof HostError);
  const second = await enterprise.connection("one", "notes");
  assertEquals([second.number, second.grantGeneration], [2, connection.grantGeneration]);
  assertEquals(events.map(({ kind }) => kind), ["connected", "disconnected", "refreshed"]);
  server.before = () => new Response(null, { status: 404 });
  const fetched = second.client.callTool({ name: "echo" });
  await assertRejects(() => fetched);
  server.before = null;
  assertEquals(await enterprise.connection("one", "notes"), second); // it had no session
  await enterprise.close();
});

test("the host prepares each client, and the SDK's error with the server's words is not shown", async () => {
  const prepared: string[] = [];
  const { enterprise, server } = await connected({
    prepare: (_client, { thread, server: name }) => void prepared.push(`${thread} ${name}`),
    capabilities: { roots: {} },
  });
  assertEquals(prepared, ["one notes"]);
  const [first] = server.seen;
  assert((await first?.text())?.includes('"roots"'));
  server.before = () => new Response("<words of the server>", { status: 404 });
  enterprise.openThread("two", ALICE);
  const error = await assertRejects(() => enterprise.connection("two", "notes"), HostError);
  assertEquals([error.code, error.server], ["SERVER_UNAVAILABLE", "notes"]);
  assert(!`${error.stack}${JSON.stringify(error.cause)}`.includes("words of the server"));
  await enterprise.close();
});

async function answer(request: Request): Promise<Response> {
  const { id } = await request.json() as { readonly id: number };
  const result = { content: [{ type: "text", text: "late" }], resultType: "complete" };
  return Response.json({ jsonrpc: "2.0", id, result });
}
