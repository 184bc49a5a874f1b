import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import {
  configurationFindings,
  faultFinding,
  providerFindings,
} from "../../../../adapters/cli/doctor/configuration.ts";
import { readServers } from "../../../../core/configuration/servers.ts";

function read(values: Readonly<Record<string, unknown>>) {
  return readServers([{ kind: "user", source: "/c.toml", values, codexFile: true }]);
}

test("a server at fault is failed with code, place and fix, and not told twice", () => {
  const configuration = read({ mcp_servers: { bad: { command: 7 }, good: { command: "sh" } } });
  const finding = faultFinding(configuration.disabled[0]!);
  assertEquals([finding.id, finding.subject, finding.status, finding.code], [
    "server",
    "bad",
    "failed",
    "FIELD_TYPE",
  ]);
  assertMatch(finding.found, /^\/c\.toml: Cannot use mcp_servers\.bad\.command/);
  assertEquals(finding.fix, "correct it, then run: codex-mcp doctor");
  const twice = read({ mcp_servers: { bad: { command: 7, args: 7 } } }).disabled[0]!;
  assertMatch(faultFinding(twice).found, /mcp_servers\.bad\.command.*mcp_servers\.bad\.args/);
  assertEquals(configurationFindings(configuration), [
    { id: "configuration", status: "ok", found: "2 servers are configured" },
  ]);
});

test("the fault of a provider is told with a server that needs it, as it is with all", () => {
  const server = (idp: string) => ({
    url: "https://m.example",
    auth: "ema_auth",
    idp,
    oauth: { client_id: "m" },
  });
  const configuration = read({
    features: { use_xaa: true },
    mcp_enterprise_managed_auth: {
      idps: {
        a: { issuer: "http://idp.example", client_id: "c" },
        b: { issuer: 7, client_id: "c" },
      },
    },
    mcp_servers: { one: server("a"), two: server("b"), three: { command: 7 } },
  });
  const of = (name: string) =>
    providerFindings(configuration, configuration.disabled.filter((one) => one.name === name));
  const [found, ...others] = of("one");
  assertEquals([found?.code, others], ["URL_REFUSED", []]);
  assertMatch(found?.found ?? "", /mcp_enterprise_managed_auth\.idps\.a\.issuer: it must be https/);
  assertEquals(configurationFindings(configuration).some((one) => one.found === found?.found), true);
  assertEquals(of("two").map(({ code }) => code), ["FIELD_TYPE"]);
  assertEquals(of("three"), []);
});

test("a file that lies in the project is told once, and where it belongs", () => {
  const values = {
    mcp_servers: { a: { url: "https://m.example", auth: "ema_auth", oauth: { client_id: "m" } } },
    mcp_enterprise_managed_auth: { idp: { issuer: "https://i.example" } },
  };
  const configuration = readServers([{ kind: "project", source: "/p/c.toml", values, codexFile: true }]);
  const finding = faultFinding(configuration.disabled[0]!);
  assertEquals(finding.found.match(/Cannot use/g)?.length, 1);
  assertMatch(finding.fix ?? "", /^move the file to where only you .+, then run: codex-mcp doctor$/);
  assertEquals(configurationFindings(configuration).length, 1);
});

test("a fault that is no single server's, a warning, and nothing at all", () => {
  const [fault] = configurationFindings(read({ mcp_enterprise_managed_auth: { idp: { issuer: 7 } } }));
  assertEquals([fault?.status, fault?.code === undefined], ["failed", false]);
  const [warned] = configurationFindings(read({ mcp_servers: { a: { command: "sh", unheard_of: 1 } } }));
  assertMatch(warned?.found ?? "", /^1 server is configured; to be changed: .*unheard_of/);
  assertEquals(configurationFindings(read({ model: "x" })), []);
});
