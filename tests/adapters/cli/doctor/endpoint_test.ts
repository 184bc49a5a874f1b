import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { checkEndpoint } from "../../../../adapters/cli/doctor/endpoint.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpRequest, HttpResponse } from "../../../../core/ports/http.ts";

const server = { name: "notes", url: "https://mcp.example/mcp" };
const { signal } = new AbortController();

async function look(answer: number | EnterpriseError) {
  const sent: HttpRequest[] = [];
  const send = (request: HttpRequest): Promise<HttpResponse> => {
    sent.push(request);
    return typeof answer === "number"
      ? Promise.resolve({ status: answer, headers: [], body: new Uint8Array() })
      : Promise.reject(answer);
  };
  return { finding: await checkEndpoint(server, { http: { send }, signal }), sent };
}

test("a server should answer, and ask for a token", async () => {
  const rows = [[401, "ok"], [403, "ok"], [200, "ok"], [302, "failed"], [404, "failed"], [
    503,
    "failed",
  ]] as const;
  for (const [status, outcome] of rows) {
    const { finding, sent } = await look(status);
    assertEquals([finding.id, finding.subject, finding.status], ["server", "notes", outcome], String(status));
    assertMatch(finding.found, new RegExp(String(status)));
    assertEquals([finding.code !== undefined, finding.fix !== undefined], [
      outcome === "failed",
      outcome === "failed",
    ]);
    assertEquals(sent.map(({ url, headers }) => [url, headers.some(([name]) => name === "authorization")]), [
      [server.url, false],
    ]);
  }
});

test("one that does not answer is unavailable", async () => {
  const error = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it: TLS failed", {
    reason: "tls",
  });
  const { finding } = await look(error);
  assertEquals([finding.status, finding.code], ["failed", "TEMPORARILY_UNAVAILABLE"]);
  assertMatch(finding.fix ?? "", /certificate/);
});
