import { test } from "node:test";
import { assertEquals } from "@std/assert";
import type { HttpEntry } from "../../../core/configuration/entry.ts";
import { readHttpEntry } from "../../../core/configuration/http_entry.ts";
import type { MergedServer } from "../../../core/configuration/merged_server.ts";
import { readSettings } from "../../../core/configuration/settings.ts";
import { foundIn, serverWith } from "./merged.ts";

function read(server: MergedServer): HttpEntry | null {
  return readHttpEntry(server, readSettings(server));
}

test("readHttpEntry: a URL alone, verbatim", () => {
  for (
    const url of ["https://MCP.example", "http://10.0.0.7:8080/mcp?x=1#y", "https://münchen.example/mcp"]
  ) {
    const entry = read(serverWith({ url }));
    assertEquals([entry?.kind, entry?.url, entry?.bearerTokenEnvVar, entry?.headers, entry?.envHeaders], [
      "http",
      url,
      null,
      {},
      {},
    ]);
    assertEquals(entry?.auth, null);
  }
});

test("readHttpEntry: credentials", () => {
  const server = serverWith({
    url: "https://mcp.example/mcp",
    bearer_token_env_var: "TOKEN",
    http_headers: { "X-Region": "eu", Cookie: "a=b" },
    env_http_headers: { "X-Key": "KEY" },
    auth: "oauth",
    oauth: { client_id: "c", callback_port: 1 },
    scopes: ["a"],
  });
  const entry = read(server);
  assertEquals([entry?.bearerTokenEnvVar, entry?.headers, entry?.envHeaders, entry?.auth], [
    "TOKEN",
    { "X-Region": "eu", Cookie: "a=b" },
    { "X-Key": "KEY" },
    "oauth",
  ]);
  assertEquals(foundIn(server), []);
});

test("readHttpEntry: a URL that no request can be sent to", () => {
  for (
    const url of [
      "mcp.example",
      "not a url",
      "ftp://x.example",
      "file:///etc/passwd",
      "https://",
      "https://u:secret-7@x.example",
      " https://x.example",
      "https://x.example/\ta",
      `https://x.example/${"a".repeat(5000)}`,
    ]
  ) {
    const server = serverWith({ url });
    assertEquals(read(server), null, url);
    assertEquals(foundIn(server), ["URL_REFUSED url"], url);
    assertEquals(JSON.stringify(server.findings).includes("secret-7"), false);
  }
});

test("readHttpEntry: what makes it unusable is named, and no value is", () => {
  const cases: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
    [{ bearer_token: "secret-7" }, ["SECRET_INLINE bearer_token"]],
    [{ bearer_token_env_var: "" }, ["FIELD_EMPTY bearer_token_env_var"]],
    [{ bearer_token_env_var: "TOKEN=secret-7" }, ["VALUE_MALFORMED bearer_token_env_var"]],
    [{ http_headers: { "Authorization: Bearer secret-7": "" } }, ["VALUE_MALFORMED http_headers"]],
    [{ http_headers: { A: "secret-7\r\nHost: evil" } }, ["VALUE_MALFORMED http_headers.A"]],
    [{ http_headers: { A: "secret-7…" } }, ["VALUE_MALFORMED http_headers.A"]],
    [{ http_headers: { A: 7 } }, ["FIELD_TYPE http_headers.A"]],
    [{ env_http_headers: { A: "" } }, ["VALUE_MALFORMED env_http_headers.A"]],
    [{ env_http_headers: ["A"] }, ["FIELD_TYPE env_http_headers"]],
    [{ auth: "basic" }, ["VALUE_UNKNOWN auth"]],
    [{ args: [], env: {}, env_vars: [], cwd: "/" }, [
      "TRANSPORT_CONFLICT args",
      "TRANSPORT_CONFLICT env",
      "TRANSPORT_CONFLICT env_vars",
      "TRANSPORT_CONFLICT cwd",
    ]],
  ];
  for (const [fields, expected] of cases) {
    const server = serverWith({ url: "https://x.example", ...fields });
    assertEquals(read(server), null);
    assertEquals(foundIn(server), expected);
    assertEquals(JSON.stringify(server.findings).includes("secret-7"), false);
  }
});

test("readHttpEntry: a helper that is not run, and credentials that others can read, are told", () => {
  const helper = serverWith({ url: "https://x.example", http_headers_helper: "print-headers" });
  assertEquals([read(helper)?.kind, foundIn(helper)], ["http", ["FIELD_UNSUPPORTED http_headers_helper"]]);
  const clear = (fields: Record<string, unknown>): string[] => {
    const server = serverWith({ url: "http://mcp.example", ...fields });
    assertEquals(read(server)?.kind, "http");
    return foundIn(server);
  };
  const told = ["CREDENTIALS_IN_CLEAR url"];
  assertEquals(clear({ bearer_token_env_var: "T" }), told);
  assertEquals(clear({ env_http_headers: { A: "T" } }), told);
  assertEquals(clear({ http_headers: { "X-Api-Key": "T" } }), told);
  assertEquals(clear({ http_headers: { "X-Region": "eu" } }), []);
  assertEquals(clear({ url: "http://127.0.0.1:1/mcp", bearer_token_env_var: "T" }), []);
  assertEquals(clear({ url: "http://localhost/mcp", bearer_token_env_var: "T" }), []);
});
