import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { readResourceMetadata } from "../../../../core/enterprise/discovery/resource_metadata.ts";

const url = "https://mcp.example/a/mcp";
const good = { resource: url, authorization_servers: ["https://as.example/"] };

function reason(document: unknown, configured = url): string {
  const verdict = readResourceMetadata(document, { url: configured });
  return verdict.accepted ? "accepted" : verdict.refusal.reason;
}

test("readResourceMetadata: what it says, verbatim", () => {
  assertEquals(readResourceMetadata(good, { url }), {
    accepted: true,
    value: { resource: url, authorizationServers: ["https://as.example/"] },
    notes: [],
  });
  for (const resource of ["https://mcp.example", "https://mcp.example/", "https://mcp.example/a"]) {
    const verdict = readResourceMetadata({ resource }, { url });
    assertEquals(verdict.accepted ? verdict.value : null, { resource, authorizationServers: null });
  }
});

test("readResourceMetadata: each check has its reason", () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [null, "malformed"],
    [[good], "malformed"],
    ["{}", "malformed"],
    [{}, "resource-missing"],
    [{ resource: "" }, "resource-missing"],
    [{ resource: [url] }, "resource-missing"],
    [{ resource: "mcp.example" }, "resource-unusable"],
    [{ resource: "http://mcp.example/a/mcp" }, "resource-unusable"],
    [{ resource: `${url}#x` }, "resource-unusable"],
    [{ resource: "https://evil.example/a/mcp" }, "resource-mismatch"],
    [{ resource: `${url}/` }, "resource-mismatch"],
    [{ resource: "https://mcp.example/a/mc" }, "resource-mismatch"],
    [{ resource: `${url}?x` }, "resource-mismatch"],
    [{ ...good, authorization_servers: "https://as.example" }, "authorization-servers-malformed"],
    [{ ...good, authorization_servers: [7] }, "authorization-servers-malformed"],
    [{ ...good, bearer_methods_supported: ["body"] }, "bearer-method-unsupported"],
    [{ ...good, bearer_methods_supported: "header" }, "bearer-method-unsupported"],
    [{ ...good, bearer_methods_supported: ["body", "header"] }, "accepted"],
    [{ ...good, dpop_bound_access_tokens_required: true }, "binding-required"],
    [{ ...good, dpop_bound_access_tokens_required: false }, "accepted"],
    [{ ...good, tls_client_certificate_bound_access_tokens: true }, "binding-required"],
  ];
  for (const [document, expected] of cases) {
    assertEquals(reason(document), expected, JSON.stringify(document));
  }
});

test("readResourceMetadata: an authorization server that may not be asked is left out, with a note", () => {
  const inside = [
    "http://127.0.0.1:8080",
    "https://localhost",
    "https://169.254.169.254",
    "http://as.example",
  ];
  const document = { ...good, authorization_servers: [...inside, "https://as.example"] };
  const verdict = readResourceMetadata(document, { url });
  assertEquals(verdict.accepted && verdict.value.authorizationServers, ["https://as.example"]);
  assertEquals(verdict.accepted && verdict.notes.map((note) => note.reason), [
    "authorization-server-unusable",
  ]);
  const local = readResourceMetadata(
    { resource: "http://localhost:1/mcp", authorization_servers: ["http://127.0.0.1:8080"] },
    { url: "http://localhost:1/mcp" },
  );
  assertEquals(local.accepted && local.value.authorizationServers, ["http://127.0.0.1:8080"]);
});
