import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as ServerV2 } from "@modelcontextprotocol/server";
import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { z } from "zod";
import { advertiseSandboxState, withAuthority } from "../../../../adapters/mcp/mod.ts";

const INFO = { name: "memory", version: "1.2.3" };
const STATE = { permissionProfile: { type: "disabled" } };
const _meta = { "codex/sandbox-state": STATE, "codex/sandbox-state-meta": STATE };
const inputSchema = { word: z.string() };

/** What the tools of the cases answer with: the arguments and the state. */
function answer(word: string, stateText: string): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text: `${word} ${stateText}` }] };
}

const SERVERS = {
  "SDK v1": (capabilities: object) => {
    const server = new ServerV1(INFO, { capabilities });
    const options = { transport: "stdio", server } as const;
    server.registerTool(
      "with",
      { inputSchema },
      withAuthority(({ word }: { word: string }, authority) => answer(word, authority.stateText), options),
    );
    server.registerTool(
      "without",
      {},
      withAuthority((args, { stateText }) => answer(String(args), stateText), options),
    );
    return server;
  },
  "SDK v2": (capabilities: object) => {
    const server = new ServerV2(INFO, { capabilities });
    const options = { transport: "stdio", server } as const;
    server.registerTool(
      "with",
      { inputSchema: z.object(inputSchema) },
      withAuthority(({ word }, authority) => answer(word, authority.stateText), options),
    );
    server.registerTool(
      "without",
      {},
      withAuthority((args, { stateText }) => answer(String(args), stateText), options),
    );
    return server;
  },
};

const CLIENTS = { "SDK v1": ClientV1, "SDK v2": ClientV2 };

for (const [client, Client] of Object.entries(CLIENTS)) {
  for (const [server, create] of Object.entries(SERVERS)) {
    test(`client ${client}, server ${server}: tools get the authority with and without a schema`, async () => {
      const peer = await connect(Client, create(advertiseSandboxState()));
      const state = JSON.stringify(STATE);
      assertEquals(await peer.call("with", _meta), [undefined, `hello ${state}`]);
      assertEquals(await peer.call("without", _meta), [undefined, `undefined ${state}`]);
      await peer.close();
    });

    test(`client ${client}, server ${server}: a missing state is refused, the host named`, async () => {
      const peer = await connect(Client, create(advertiseSandboxState()));
      for (const tool of ["with", "without"]) {
        const [isError, text] = await peer.call(tool, {});
        assertEquals([isError, text?.split(":")[0]], [true, "STATE_MISSING"]);
        assert(text?.endsWith('The host is "memory" "1.2.3".') && !text.includes("never advertised"), text);
      }
      await peer.close();
    });

    test(`client ${client}, server ${server}: a server that never advertised is told so`, async () => {
      const peer = await connect(Client, create({}));
      const [, text] = await peer.call("with", {});
      assert(text?.includes("This server never advertised it"), text);
      await peer.close();
    });
  }
}

interface Peer {
  call(name: string, meta: object): Promise<readonly [isError: unknown, text: string | undefined]>;
  close(): Promise<void>;
}

async function connect(
  Client: typeof ClientV1 | typeof ClientV2,
  server: ServerV1 | ServerV2,
): Promise<Peer> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client(INFO) as ClientV2;
  await (server as ServerV2).connect(far as Parameters<ServerV2["connect"]>[0]);
  await client.connect(near as Parameters<ClientV2["connect"]>[0]);
  return {
    call: async (name, meta) => {
      const result = await client.callTool({ name, arguments: { word: "hello", _meta }, _meta: { ...meta } });
      const [part] = result.content;
      return [result.isError, part?.type === "text" ? part.text : undefined];
    },
    close: () => client.close(),
  };
}
