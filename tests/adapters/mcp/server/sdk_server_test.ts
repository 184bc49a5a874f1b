import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { advertises, clientOf } from "../../../../adapters/mcp/server/sdk_server.ts";

const CLIENT = { name: "host", version: "1" };

class LowLevelServer {
  #client: unknown = CLIENT;
  getCapabilities(): unknown {
    return { experimental: { "codex/sandbox-state": {} } };
  }
  getClientVersion(): unknown {
    return this.#client;
  }
}

test("a server is asked itself, or through the object that holds it", () => {
  for (const server of [new LowLevelServer(), { server: new LowLevelServer() }]) {
    assertEquals([advertises(server), clientOf(server)], [true, CLIENT]);
  }
});

test("a server without the capability never advertised", () => {
  assertEquals(advertises({ getCapabilities: () => ({ tools: {} }) }), false);
});

test("what cannot be asked tells nothing", () => {
  for (const server of [{}, { server: null }, { getCapabilities: "no", getClientVersion: 1 }]) {
    assertEquals([advertises(server), clientOf(server)], [undefined, undefined]);
  }
  assertEquals(clientOf({ getClientVersion: () => undefined }), undefined);
  assertEquals(clientOf({ getClientVersion: () => ({ name: 1, version: 2 }) }), undefined);
});
