import { assert, assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { authorityOf, type AuthorityOptions } from "../../../../adapters/mcp/server/authority_of.ts";
import { SandboxError } from "../../../../core/errors.ts";

const STATE = { permissionProfile: { type: "disabled" } };
const LAUNCHER = { codexExecutable: "/opt/codex" };
const META = {
  "codex/sandbox-state": STATE,
  "codex/sandbox-state-meta": STATE,
  "codex/sandbox-launcher": LAUNCHER,
};

test("every shape of a context gives the same authority", () => {
  for (const context of [{ _meta: META }, { mcpReq: { _meta: META } }, { id: 1, params: { _meta: META } }]) {
    const authority = authorityOf(context, { transport: "stdio" });
    assertEquals(authority.state, STATE);
    assertEquals(authority.launcher, LAUNCHER);
    assertEquals(authority.transport, "stdio");
  }
});

test("the transport is the option's, and HTTP when the context shows HTTP", () => {
  assertEquals(authorityOf({ _meta: META }).transport, undefined);
  assertEquals(
    authorityOf({ _meta: META, requestInfo: { headers: {} } }, { transport: "stdio" }).transport,
    "http",
  );
  assertEquals(authorityOf({ mcpReq: { _meta: META }, http: {} }, { transport: "stdio" }).transport, "http");
  assertEquals(
    authorityOf({ mcpReq: { _meta: META }, http: undefined }, { transport: "stdio" }).transport,
    "stdio",
  );
});

test("copies of _meta that say the same are one", () => {
  const context = {
    _meta: META,
    mcpReq: { _meta: { ...META, progressToken: 1 } },
    params: { _meta: structuredClone(META) },
  };
  assertEquals(authorityOf(context).state, STATE);
});

test("copies of _meta that differ in a key of the host are a conflict", () => {
  const others: readonly unknown[] = [
    { ...META, "codex/sandbox-state": { permissionProfile: { type: "managed" } } },
    { ...META, "codex/sandbox-state-meta": null },
    { ...META, "codex/sandbox-launcher": { codexExecutable: "/tmp/codex" } },
    { "codex/sandbox-state": STATE, "codex/sandbox-state-meta": STATE },
    {},
    null,
  ];
  for (const other of others) {
    refuse("STATE_CONFLICT", { _meta: META, params: { _meta: other } });
    refuse("STATE_CONFLICT", { _meta: other, mcpReq: { _meta: META } });
  }
});

test("the arguments of the tool are no source", () => {
  refuse("STATE_MISSING", { id: 1, params: { name: "run", arguments: { _meta: META, ...META } } });
  refuse("STATE_MISSING", { id: 1, params: { ...META } });
});

test("source texts are asked for by the id of the request", () => {
  const asked: (string | number)[] = [];
  const sourceTexts = (id: string | number): { stateText: string } => {
    asked.push(id);
    return { stateText: '{"big": 9007199254740993}' };
  };
  const _meta = { "codex/sandbox-state": { big: 9007199254740992 } };
  for (
    const context of [{ _meta, requestId: 3 }, { mcpReq: { _meta, id: "x" } }, { id: 0, params: { _meta } }]
  ) {
    assertEquals(authorityOf(context, { sourceTexts }).stateText, '{"big": 9007199254740993}');
    refuse("STATE_INEXACT", context);
    refuse("STATE_INEXACT", context, { sourceTexts: () => undefined });
  }
  assertEquals(asked, [3, "x", 0]);
  refuse("STATE_INEXACT", { _meta }, { sourceTexts });
  assertEquals(asked.length, 3);
});

test("source texts of another call are a conflict", () => {
  refuse("STATE_CONFLICT", { requestId: 1, _meta: META }, {
    sourceTexts: () => ({ stateText: '{"other":1}' }),
  });
  refuse("STATE_CONFLICT", { requestId: 1, _meta: META }, { sourceTexts: () => ({ aliasText: "{}" }) });
});

test("a missing state names the host, cut and quoted", () => {
  const client = (): { name: string; version: string } => ({
    name: "odd\nhost".padEnd(200, "."),
    version: "1.0",
  });
  const { message } = refuse("STATE_MISSING", { _meta: {} }, { client });
  assert(message.endsWith('The host is "odd\\nhost' + ".".repeat(72) + '…" "1.0".'), message);
  const named = { "io.modelcontextprotocol/clientInfo": { name: "named", version: "2" } };
  assert(refuse("STATE_MISSING", { _meta: named }, { client }).message.endsWith('The host is "named" "2".'));
  assert(
    !refuse("STATE_MISSING", { _meta: {} }, { client: () => undefined }).message.includes("The host is"),
  );
  assert(!refuse("STATE_MISSING", { _meta: {} }).message.includes("The host is"));
});

test("a missing state tells no _meta from a _meta without the key", () => {
  assert(refuse("STATE_MISSING", undefined).message.includes("it carries no _meta"));
  assert(refuse("STATE_MISSING", { _meta: {} }).message.includes("carries neither codex/sandbox-state nor"));
});

test("a missing state says that the server never advertised, and asks it for the host", () => {
  const server = (capabilities: object): object => ({
    server: {
      getCapabilities: () => capabilities,
      getClientVersion: () => ({ name: "old", version: "0" }),
    },
  });
  const silent = refuse("STATE_MISSING", { _meta: {} }, { server: server({ tools: {} }) }).message;
  assert(
    silent.includes("This server never advertised it") && silent.endsWith('The host is "old" "0".'),
    silent,
  );
  const loud = server({ experimental: { "codex/sandbox-state": {} } });
  assert(!refuse("STATE_MISSING", { _meta: {} }, { server: loud }).message.includes("never advertised"));
  assert(!refuse("STATE_MISSING", { _meta: {} }, { server: {} }).message.includes("never advertised"));
});

test("a launcher without a state, not over stdio, is refused as a launcher", () => {
  refuse("LAUNCHER_INVALID", { _meta: { "codex/sandbox-launcher": LAUNCHER }, requestInfo: {} }, {
    transport: "stdio",
  });
});

function refuse(
  code: string,
  context: unknown,
  options: AuthorityOptions = { transport: "stdio" },
): SandboxError {
  const error = assertThrows(() => authorityOf(context, options), SandboxError);
  assertEquals(error.code, code);
  return error;
}
