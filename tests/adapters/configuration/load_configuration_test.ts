import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { parseConfiguration } from "../../../adapters/configuration/configuration_text.ts";
import { loadHostConfiguration } from "../../../adapters/configuration/load_configuration.ts";
import type { ConfigurationSource, ManagedSource } from "../../../adapters/configuration/source.ts";
import { renderFault } from "../../../core/configuration/fault_text.ts";
import type { ServerLayer } from "../../../core/configuration/layer.ts";

/** A source of one text. */
async function sourceOf(text: string, changes: Partial<ServerLayer> = {}): Promise<ConfigurationSource> {
  const parsed = await parseConfiguration(text);
  if (parsed.kind !== "parsed") throw new Error(`The text is malformed: ${parsed.state}`);
  const { format, values } = parsed;
  const layer: ServerLayer = {
    kind: "user",
    source: "config",
    values,
    format,
    codexFile: format === "toml",
    ...changes,
  };
  return {
    load: () =>
      Promise.resolve({
        kind: "loaded",
        layers: [layer],
        texts: new Map([[layer.source, { format, text }]]),
        remarks: ["a remark"],
        workspace: "/work",
      }),
  };
}

function managed(text: string): ManagedSource {
  return { load: () => Promise.resolve(text), name: "policy" };
}

/** The files lie in the repository also where the tests are bundled. */
const FILES = join(
  process.env["CODEX_MCP_REPOSITORY"] ?? process.cwd(),
  "tests/adapters/configuration/files",
);

async function lines(name: string): Promise<string[]> {
  const text = await readFile(join(FILES, name), "utf8");
  const source = await sourceOf(text, { source: name });
  const environment = { GITHUB_TOKEN: "secret-7" };
  const outcome = await loadHostConfiguration(source, null, { environment });
  if (outcome.kind !== "loaded") return [outcome.kind];
  const { servers, faults, warnings } = outcome.configuration;
  const found = [...faults, ...warnings].map(renderFault);
  assertEquals(/secret-/.test(JSON.stringify([found, faults, warnings])), false);
  return [...servers.map(({ name, kind, enabled }) => `${name} ${kind}${enabled ? "" : " off"}`), ...found];
}

test("loadHostConfiguration: a config.toml as people have it", async () => {
  assertEquals(await lines("everyday.toml"), [
    "context7 stdio",
    "github http",
    "docs.example http",
    "linear http off",
    "internal search stdio",
    "playwright stdio",
    "windows-files stdio",
    "everyday.toml:53: The field mcp_servers.playwright.startup_timeout is not known here and changes nothing.",
  ]);
});

test("loadHostConfiguration: a config.toml with mistakes, each by its line", async () => {
  assertEquals(await lines("mistakes.toml"), [
    "fine stdio",
    "mistakes.toml:6: Cannot use mcp_servers.args.args: it must be a list of strings.",
    "mistakes.toml:11: Cannot use mcp_servers.number.env.PORT: it must be a string.",
    'mistakes.toml:15: Cannot use mcp_servers."both of them".url: there is a command too. Keep one of them.',
    "mistakes.toml:17: Cannot use mcp_servers.neither: it has neither a command nor a url.",
    "mistakes.toml:22: Cannot use mcp_servers.inline.bearer_token: a bearer must not stand in the file. " +
    "Put it into a variable and name that with bearer_token_env_var.",
    "mistakes.toml:25: Cannot use mcp_servers.word: it must be a table.",
    "mistakes.toml:26: Cannot use mcp_servers.dotted.url: it is not an absolute URL.",
    "mistakes.toml:31: Cannot use mcp_servers.list.env_vars.2: no variable can have this name.",
    "mistakes.toml:36: Cannot use mcp_servers.times.startup_timeout_sec: it must be more than 0, and finite.",
  ]);
});

test("loadHostConfiguration: the file of another host, in its own words", async () => {
  assertEquals(await lines("other_host.json"), [
    "filesystem stdio",
    "github http",
    "postgres stdio off",
    "other_host.json:26: Cannot use mcpServers.asks.headers.Authorization: nobody is asked for ${input:…} here. " +
    "Put the value into a variable and write ${env:NAME}.",
    "other_host.json:31: Cannot use mcpServers.old.type: the transport HTTP+SSE of 2024 is not spoken here. " +
    'Use its server\'s streamable HTTP, with type "http".',
    'other_host.json:37: Cannot use mcpServers.unset.env.KEY: the variable "UNSET_KEY" is not set. ' +
    "Set it where the host is started.",
    "other_host.json:10: The field mcpServers.filesystem.timeout is not known here and changes nothing.",
  ]);
});

test("loadHostConfiguration: the managed configuration stands above all, and tells its own lines", async () => {
  const source = await sourceOf('[mcp_servers.a]\ncommand = "x"\nenabled = true\n');
  const outcome = await loadHostConfiguration(
    source,
    managed("[mcp_servers.a]\nenabled = false\n[mcp_servers.b]\nenabled = false\n"),
  );
  assertEquals(
    outcome.kind === "loaded" &&
      [outcome.configuration.servers.map(({ enabled }) => enabled), outcome.remarks],
    [
      [false],
      ["a remark"],
    ],
  );
  assertEquals(outcome.kind === "loaded" && outcome.configuration.faults.map(renderFault), [
    "policy:3: Cannot use mcp_servers.b: it has neither a command nor a url.",
  ]);
  assertEquals(outcome.kind === "loaded" && outcome.layers.map(({ kind }) => kind), [
    "user",
    "administrator",
  ]);
});

test("loadHostConfiguration: a fault in the managed configuration rejects it, whose layer and which field", async () => {
  const source = await sourceOf('[mcp_servers.a]\ncommand = "x"\n');
  const outcome = await loadHostConfiguration(
    source,
    managed('[features]\nuse_xaa = "yes"\n[mcp_servers.a]\nargs = 3\n'),
  );
  assertEquals(outcome.kind === "rejected" && [renderFault(outcome.fault), outcome.faults.length], [
    "policy:2: Cannot use features.use_xaa: it must be true or false.",
    2,
  ]);
  const text = await loadHostConfiguration(source, managed("a = 1\nb"));
  assertEquals(text.kind === "rejected" && text.fault.line, 2);
});

test("loadHostConfiguration: a fault of another layer rejects nothing", async () => {
  const source = await sourceOf("[mcp_servers.a]\ncommand = 3\n");
  const outcome = await loadHostConfiguration(source, managed("[mcp_servers.a]\nenabled = true\n"));
  assertEquals(outcome.kind === "loaded" && outcome.configuration.disabled.map(({ name }) => name), ["a"]);
});

test("loadHostConfiguration: unavailable, whichever part it is", async () => {
  const source = await sourceOf("");
  const failing: ManagedSource = { load: () => Promise.reject(new Error("secret-7")) };
  const outcome = await loadHostConfiguration(source, failing);
  assertEquals(outcome.kind === "unavailable" && [outcome.source, outcome.reason], [
    "managed configuration",
    "SOURCE_FAILED",
  ]);
  const throwing: ConfigurationSource = { load: () => Promise.reject(new Error("secret-7")) };
  const thrown = await loadHostConfiguration(throwing);
  assertEquals([thrown.kind, JSON.stringify(thrown).includes("secret-7")], ["unavailable", false]);
  const unavailable = { kind: "unavailable", source: "x", reason: "EACCES", message: "" } as const;
  assertEquals(await loadHostConfiguration({ load: () => Promise.resolve(unavailable) }), unavailable);
});

test("loadHostConfiguration: gives up with its signal", async () => {
  const source = await sourceOf("");
  const signal = AbortSignal.abort(new Error("Over"));
  await assertRejects(() => loadHostConfiguration(source, null, { signal }), Error, "Over");
  const over = new AbortController();
  const failing: ConfigurationSource = {
    load: () => {
      over.abort(new Error("Over"));
      return Promise.reject(new Error("Else"));
    },
  };
  await assertRejects(() => loadHostConfiguration(failing, null, { signal: over.signal }), Error, "Over");
});
