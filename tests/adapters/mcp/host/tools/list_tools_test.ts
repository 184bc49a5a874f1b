import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { listTools } from "../../../../../adapters/mcp/host/tools/list_tools.ts";
import { HostError } from "../../../../../core/errors.ts";
import { serveInProcess } from "../in_process.ts";
import { stdioEntry } from "../thread_rig.ts";

const { signal } = new AbortController();

test("all tools are listed, past what the client remembers, and a server without tools is not asked", async () => {
  const server = serveInProcess((one) => {
    for (const name of ["a", "b"]) one.registerTool(name, {}, () => ({ content: [] }));
  });
  const connection = await server.connect(stdioEntry("s")).open();
  for (let turn = 0; turn < 2; turn += 1) {
    const { tools } = await listTools(connection, { server: "s", signal });
    assertEquals(tools.map(({ name }) => name), ["a", "b"]);
  }
  const asked = (): number => server.sent.filter((text) => text.includes("tools/list")).length;
  assertEquals(asked(), 2);
  assertEquals(await listTools({ ...connection, capabilities: {} }, { server: "s", signal }), {
    tools: [],
    hints: [{}],
  });
  assertEquals(asked(), 2);
});

test("what goes wrong is an error of ours", async () => {
  const server = serveInProcess((one) =>
    one.server.setRequestHandler("tools/list", () => {
      throw new Error("no list today");
    })
  );
  const connection = await server.connect(stdioEntry("s")).open();
  const error = await assertRejects(() => listTools(connection, { server: "s", signal }), HostError);
  assertEquals([error.code, error.message.includes('Cannot list the tools of "s"')], [
    "PROTOCOL_ERROR",
    true,
  ]);
  await connection.client.close();
  const lost = await assertRejects(() => listTools(connection, { server: "s", signal }), HostError);
  assertEquals(lost.code, "CONNECTION_LOST");
});

test("each page says for itself whether it may be kept", async () => {
  const pages: Record<string, unknown>[] = [
    { nextCursor: "2", ttlMs: 60_000, cacheScope: "public" },
    { nextCursor: "3", ttlMs: 5, cacheScope: "private" },
    {},
  ];
  const server = serveInProcess((one) =>
    one.server.setRequestHandler("tools/list", ({ params }) => {
      const at = Number(params?.cursor ?? 1) - 1;
      return { tools: [{ name: `t${at}`, inputSchema: { type: "object" as const } }], ...pages[at] };
    }), { legacy: true });
  const connection = await server.connect(stdioEntry("s")).open();
  const { tools, hints } = await listTools(connection, { server: "s", signal });
  assertEquals(tools.map(({ name }) => name), ["t0", "t1", "t2"]);
  assertEquals(hints, [
    { ttlMs: 60_000, cacheScope: "public" },
    { ttlMs: 5, cacheScope: "private" },
    { ttlMs: undefined, cacheScope: undefined },
  ]);
});
