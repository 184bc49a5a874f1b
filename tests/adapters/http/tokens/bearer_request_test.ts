import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { outgoingOf, type OutgoingRequest } from "../../../../adapters/http/tokens/bearer_request.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { SERVER_URL, USE } from "../fake_legs.ts";

const stream = new AbortController();
const authorization = { streamSignal: () => stream.signal };

function outgoing(url: string, init: RequestInit = {}): Promise<OutgoingRequest> {
  return outgoingOf(new Request(url, init), { ...USE, url: SERVER_URL, authorization });
}

test("only the configured URL is taken", async () => {
  assertEquals((await outgoing(SERVER_URL)).url, SERVER_URL);
  assertEquals((await outgoing("https://MCP.example:443/mcp")).url, SERVER_URL);
  const others = [
    `${SERVER_URL}/`,
    `${SERVER_URL}?a=1`,
    "https://mcp.example/",
    "http://mcp.example/mcp",
    "https://mcp.example:444/mcp",
    "https://mcp.example.evil.example/mcp",
    "https://evil.example/mcp",
  ];
  for (const url of others) {
    const error = await assertRejects(() => outgoing(url), EnterpriseError);
    assertEquals([error.code, error.reason], ["URL_REFUSED", "another-url"], url);
  }
  const unknown = { ...USE, url: undefined, authorization };
  await assertRejects(() => outgoingOf(new Request(SERVER_URL), unknown), EnterpriseError);
});

test("the caller's credentials are left out, and the body can be sent twice", async () => {
  const headers = { authorization: "Bearer other", cookie: "a=b", "x-kept": "1" };
  const { headers: sent, init } = await outgoing(SERVER_URL, { method: "POST", headers, body: "hello" });
  assertEquals([sent.get("authorization"), sent.get("cookie"), sent.get("x-kept")], [null, null, "1"]);
  assertEquals([init.method, new TextDecoder().decode(init.body)], ["POST", "hello"]);
});

test("a stream and a subscription end with the revocation, a plain call does not", async () => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } };
  const listen = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen" };
  const all = await Promise.all([
    outgoing(SERVER_URL),
    outgoing(SERVER_URL, { method: "POST", body: JSON.stringify(listen) }),
    outgoing(SERVER_URL, { method: "POST", body: "{}", headers: { "mcp-method": "subscriptions/listen" } }),
    outgoing(SERVER_URL, { method: "POST", body: JSON.stringify(call) }),
    outgoing(SERVER_URL, {
      method: "POST",
      body: JSON.stringify(listen),
      headers: { "mcp-method": "tools/call" },
    }),
  ]);
  stream.abort();
  assertEquals(all.map(({ init }) => init.signal.aborted), [true, true, true, false, false]);
});

test("what the caller ends a request with is followed itself, and not through the request", async () => {
  const { signal } = new AbortController();
  const context = { ...USE, url: SERVER_URL, authorization, signal };
  assertEquals(
    (await outgoingOf(new Request(SERVER_URL, { method: "POST", signal }), context)).init.signal,
    signal,
  );
});
