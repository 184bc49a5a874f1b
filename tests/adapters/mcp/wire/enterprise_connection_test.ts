import * as sdk from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import {
  connectEnterprise,
  type EnterpriseConnection,
  enterpriseErrorIn,
} from "../../../../adapters/mcp/wire/enterprise_connection.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { type FakeHost, SERVER_URL, startFakeHost } from "../../http/fake_legs.ts";

const EXTENSION = "io.modelcontextprotocol/enterprise-managed-authorization";

interface Server {
  readonly fetch: typeof globalThis.fetch;
  readonly bodies: string[];
  status: number | null;
}

/** A server in this process; `status`, when set, is what it answers instead. */
function serve(advertises: boolean): Server {
  const handler = createMcpHandler(() => {
    const capabilities = advertises ? { extensions: { [EXTENSION]: {} } } : {};
    const server = new McpServer({ name: "notes", version: "1" }, { capabilities });
    server.registerTool(
      "echo",
      { description: "Echo" },
      () => ({ content: [{ type: "text", text: "hello" }] }),
    );
    return server;
  }, { keepAliveMs: 0 });
  const server: Server = {
    bodies: [],
    status: null,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      assert(request.headers.get("authorization")?.startsWith("Bearer bearer-"));
      server.bodies.push(await request.clone().text());
      if (server.status !== null) {
        return new Response("a body that is never quoted", { status: server.status });
      }
      return await handler.fetch(request);
    },
  };
  return server;
}

function connect({ tokens }: FakeHost, requireExtension: boolean = false): Promise<EnterpriseConnection> {
  const server = { name: "notes", url: SERVER_URL, requireExtension };
  return connectEnterprise({
    sdk,
    tokens,
    thread: "one",
    server,
    clientInfo: { name: "test", version: "1" },
  });
}

test("the extension is declared in each request, and the server's answer is in the status", async () => {
  for (const advertises of [true, false]) {
    const server = serve(advertises);
    const host = await startFakeHost({ fetch: server.fetch });
    const connection = await connect(host);
    assertEquals(connection.extension, advertises ? "advertised" : "unknown");
    const status = host.tokens.status("notes", "one");
    assert(status.kind === "ready" && status.extension === connection.extension);
    await connection.client.callTool({ name: "echo" });
    assertEquals([server.bodies.length, server.bodies.every((body) => body.includes(EXTENSION))], [2, true]);
    await connection.close();
  }
});

test("a required extension that is not advertised is refused", async () => {
  const host = await startFakeHost({ fetch: serve(false).fetch });
  const error = await assertRejects(() => connect(host, true), EnterpriseError);
  assertEquals([error.code, host.tokens.status("notes").kind], ["EXTENSION_REQUIRED", "extension-required"]);
});

test("a refusal by the server is ours, typed, without its body", async () => {
  for (
    const [status, code] of [[403, "ADMINISTRATOR_REFUSED"], [429, "TEMPORARILY_UNAVAILABLE"], [
      503,
      "TEMPORARILY_UNAVAILABLE",
    ]] as const
  ) {
    const server = serve(true);
    server.status = status;
    const host = await startFakeHost({ fetch: server.fetch });
    const error = await assertRejects(() => connect(host), EnterpriseError);
    assertEquals(error.code, code);
    assert(!`${error.stack}${error.cause}`.includes("never quoted"));
  }
});

test("a thread that is revoked is refused before anything is sent, and its stream ends", async () => {
  const server = serve(true);
  const host = await startFakeHost({ fetch: server.fetch });
  const connection = await connect(host);
  await host.tokens.signOut("default");
  assertEquals(connection.revoked.aborted, true);
  const sent = server.bodies.length;
  const error = await assertRejects(() => connection.client.callTool({ name: "echo" }), EnterpriseError);
  assertEquals([error.code, server.bodies.length], ["SIGN_IN_REQUIRED", sent]);
  await assertRejects(() => connect(host), EnterpriseError);
  await connection.close();
});

test("a gate sees each request ahead of its bearer, and a signal ends the connecting and nothing after it", async () => {
  const server = serve(true);
  const host = await startFakeHost({ fetch: server.fetch });
  const seen: string[] = [];
  const caller = new AbortController();
  const options = {
    sdk,
    tokens: host.tokens,
    thread: "one",
    server: { name: "notes", url: SERVER_URL, requireExtension: false },
    clientInfo: { name: "test", version: "1" },
    signal: caller.signal,
    gate: {
      during: <Result>(work: () => Promise<Result>) => {
        seen.push("bearer");
        return work();
      },
      around: (send: typeof globalThis.fetch): typeof globalThis.fetch => (url, init) => {
        seen.push(new Headers(init?.headers).has("x-seen") ? "again" : "request");
        return send(url, init);
      },
    },
  };
  const connection = await connectEnterprise(options);
  caller.abort(new Error("The caller gave up"));
  await connection.client.callTool({ name: "echo" });
  assertEquals(seen, ["bearer", "request", "bearer", "request"]);
  await connection.close();
  await assertRejects(() => connectEnterprise(options), Error, "The caller gave up");
  assertEquals(server.bodies.length, 2);
});

test("our error is found under the SDK's", () => {
  const ours = new EnterpriseError("SUPERSEDED", "Cannot go on");
  assertEquals(enterpriseErrorIn(new Error("a", { cause: new Error("b", { cause: ours }) })), ours);
  assertEquals([enterpriseErrorIn(new Error("a")), enterpriseErrorIn(null)], [null, null]);
});
