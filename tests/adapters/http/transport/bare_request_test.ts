import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { bareRequest } from "../../../../adapters/http/transport/bare_request.ts";
import { declareEnterpriseExtension } from "../../../../core/enterprise/extension.ts";

test("a bare request names its protocol, declares the extension and carries no credential", () => {
  const { method, url, headers, body = "" } = bareRequest("https://mcp.example/mcp?x=1", {
    version: "2.3.4",
  });
  assertEquals([method, url], ["POST", "https://mcp.example/mcp?x=1"]);
  assertEquals(headers.map(([name]) => name), [
    "accept",
    "content-type",
    "mcp-protocol-version",
    "mcp-method",
  ]);
  assertEquals(JSON.parse(body), {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
    params: {
      _meta: declareEnterpriseExtension({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "codex-mcp", version: "2.3.4" },
      }),
    },
  });
});
