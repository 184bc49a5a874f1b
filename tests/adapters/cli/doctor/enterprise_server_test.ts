import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { checkEnterpriseServer } from "../../../../adapters/cli/doctor/enterprise_server.ts";
import { Discovery } from "../../../../adapters/http/discovery/discovery.ts";
import type { EnterpriseServer } from "../../../../core/enterprise/config/server.ts";
import { jsonAnswer, noSignal, testClock, testHttp, textAnswer } from "../../http/answers.ts";
import { AS, documentOf, MCP, readSecret, SERVER } from "../../http/parties.ts";

const PRM = "https://mcp.example/.well-known/oauth-protected-resource/mcp";
const AS_PLACE = `${AS}/.well-known/oauth-authorization-server`;
const GOOD = { [PRM]: { resource: MCP, authorization_servers: [AS] }, [AS_PLACE]: documentOf(AS) };

async function look(documents: Readonly<Record<string, unknown>>, server: EnterpriseServer = SERVER) {
  const http = testHttp(({ url }) =>
    url in documents ? jsonAnswer(documents[url]) : textAnswer("", url === MCP ? 401 : 404)
  );
  const discovery = new Discovery({ http, clock: testClock(), random: () => 0 });
  return await checkEnterpriseServer(server, { http, discovery, readSecret, signal: noSignal() });
}

const outline = (findings: Awaited<ReturnType<typeof look>>) =>
  findings.map(({ id, status, code }) => [id, status, code ?? null]);

test("the server, its metadata and its authorization server", async () => {
  const findings = await look(GOOD);
  assertEquals(outline(findings), [
    ["server", "ok", null],
    ["resource", "ok", null],
    ["authorization-server", "ok", null],
  ]);
  assertEquals(new Set(findings.map(({ subject }) => subject)), new Set(["notes"]));
  assertMatch(
    findings[2]!.found,
    /^"https:\/\/as\.example" publishes its metadata; .*the client is a public one$/,
  );
  const secret = { kind: "environment", name: "S" } as const;
  const client = { ...SERVER.client, secret, method: "client_secret_basic" } as const;
  assertEquals((await look(GOOD, { ...SERVER, client })).map(({ id }) => id)[1], "client-secret");
});

test("without the resource's metadata only a configured authorization server can be looked at", async () => {
  const only = { [AS_PLACE]: documentOf(AS) };
  const missing = ["resource", "failed", "DISCOVERY_REFUSED"];
  assertEquals(outline(await look(only)).slice(1), [missing, ["authorization-server", "ok", null]]);
  assertEquals(outline(await look(only, { ...SERVER, authorizationServer: null })).slice(1), [
    missing,
    ["authorization-server", "skipped", null],
  ]);
});

test("an authorization server that the resource does not name, and one without ID-JAG", async () => {
  const other = { ...GOOD, [PRM]: { resource: MCP, authorization_servers: ["https://other.example"] } };
  const [, , finding] = await look(other);
  assertEquals([finding?.status, finding?.code], ["failed", "DISCOVERY_REFUSED"]);
  assertMatch(finding?.fix ?? "", /authorization_server_issuer/);
  const lacking = { ...documentOf(AS), authorization_grant_profiles_supported: [] };
  const [, , refused] = await look({ ...GOOD, [AS_PLACE]: lacking });
  assertMatch(refused?.fix ?? "", /ID-JAG/);
});
