import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { configurationFlaws } from "../../../scripts/docs/configuration.ts";

async function flaws(
  code: string,
  { language = "toml", mark = null }: { readonly language?: string; readonly mark?: string | null } = {},
): Promise<string[]> {
  const found = await configurationFlaws({ language, attributes: [], mark, code, line: 1, range: [0, 0] });
  return found.map((one) => one.replace(/^(is refused or warned of: [A-Z_]+).*/s, "$1"));
}

test("what is no configuration of MCP servers only has to be parsed", async () => {
  assertEquals(await flaws('model = "mock"\n'), []);
  assertEquals(await flaws('{ "imports": {} }', { language: "json" }), []);
  assertEquals(await flaws("[1, 2]", { language: "json" }), []);
  assertEquals((await flaws("a = \n")).length, 1);
  assertEquals((await flaws("{ a }", { language: "json" })).length, 1);
});

test("a configuration has to be accepted without a warning", async () => {
  assertEquals(await flaws('[mcp_servers.files]\ncommand = "mcp-files"\n'), []);
  assertEquals(await flaws('[mcp_servers.files]\ncomand = "mcp-files"\n'), [
    "is refused or warned of: TRANSPORT_MISSING",
    "is refused or warned of: FIELD_UNKNOWN",
  ]);
});

test("a JSON configuration of another host has to be accepted", async () => {
  const servers = (url: string) => JSON.stringify({ mcpServers: { web: { type: "http", url } } });
  assertEquals(await flaws(servers("https://mcp.example/mcp"), { language: "json" }), []);
  assertEquals(await flaws(servers("nowhere"), { language: "json" }), [
    "is refused or warned of: URL_REFUSED",
  ]);
});

test("a part is put into a whole", async () => {
  const part = "[mcp_servers.tracker]\nrequire_extension = true\n";
  assertEquals(await flaws(part, { mark: "configuration: part" }), []);
  assertEquals((await flaws(part)).length > 0, true);
});

test("a mistake that is shown has to be one, and no other", async () => {
  const off = "[features]\nuse_xaa = false\n";
  assertEquals(await flaws(off, { mark: "configuration: part, FEATURE_OFF" }), []);
  assertEquals(await flaws(off, { mark: "configuration: part, PROVIDER_MISSING" }), [
    "is refused or warned of: FEATURE_OFF",
    "does not lead to PROVIDER_MISSING, which its mark announces",
  ]);
});
