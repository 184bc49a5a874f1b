import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { HostConfiguration } from "../../../core/configuration/host_configuration.ts";
import type { ServerLayer } from "../../../core/configuration/layer.ts";
import { readServers } from "../../../core/configuration/servers.ts";
import { layer, workingValues } from "../enterprise/config/layers.ts";
import { anyValue, SECRET } from "./any_value.ts";

function brief({ servers, disabled, faults, warnings }: HostConfiguration): Record<string, string[]> {
  return {
    servers: servers.map(({ name, kind }) => `${name} ${kind}`),
    disabled: disabled.map(({ name, faults }) => `${name} ${faults.map(({ code }) => code).join(" ")}`),
    faults: faults.map(({ code, field }) => `${code} ${field}`),
    warnings: warnings.map(({ code, field }) => `${code} ${field}`),
  };
}

test("readServers: a broken entry disables its own server, and no other", () => {
  const configuration = readServers([layer({
    mcp_servers: {
      files: { command: "mcp-files" },
      broken: { command: "x", args: "no list", tool_timeout_sec: -1 },
      neither: { enabled_tools: ["a"] },
      number: 3,
      "odd name: é": { url: "https://x.example", enabled: false },
      "": { command: "x" },
    },
  })]);
  assertEquals(brief(configuration), {
    servers: ["files stdio", "odd name: é http"],
    disabled: [
      "broken VALUE_RANGE FIELD_TYPE",
      "neither TRANSPORT_MISSING",
      "number FIELD_TYPE",
      " NAME_MALFORMED",
    ],
    faults: [
      "VALUE_RANGE mcp_servers.broken.tool_timeout_sec",
      "FIELD_TYPE mcp_servers.broken.args",
      "TRANSPORT_MISSING mcp_servers.neither",
      "FIELD_TYPE mcp_servers.number",
      'NAME_MALFORMED mcp_servers.""',
    ],
    warnings: [],
  });
  assertEquals(configuration.servers.map(({ enabled }) => enabled), [true, false]);
});

test("readServers: enterprise servers ride along, and their other settings count too", () => {
  const values = workingValues();
  values.mcp_servers["second"] = {
    ...values.mcp_servers["tracker"],
    tool_timeout_sec: 7,
    startup_timeout_sec: 0,
  };
  values.mcp_servers["tracker"]!["tool_timeout_sec"] = 7;
  const configuration = readServers([layer(values)]);
  assertEquals(brief(configuration)["servers"], ["tracker enterprise"]);
  assertEquals(configuration.servers[0]?.toolTimeoutMs, 7000);
  assertEquals(brief(configuration)["disabled"], ["second VALUE_RANGE"]);
  assertEquals(configuration.enterprise.servers.map(({ name }) => name), ["tracker"]);
  assertEquals(configuration.enterprise.disabled.map(({ name }) => name), ["second"]);
});

test("readServers: what the enterprise half refuses is disabled, once", () => {
  const values = workingValues();
  values.features = {};
  values.mcp_servers["plain"] = { url: "https://x.example", idp: "corp" };
  assertEquals(brief(readServers([layer(values)])), {
    servers: [],
    disabled: ["tracker FEATURE_OFF", "plain AUTH_CONFLICT"],
    faults: ["FEATURE_OFF features.use_xaa", "AUTH_CONFLICT mcp_servers.plain.idp"],
    warnings: [],
  });
});

test("readServers: an ordinary server's own registration is no enterprise setting, as in Codex", () => {
  const oauth = { client_id: "c", client_secret: "secret-7", callback_port: 4000 };
  const { servers, disabled } = readServers([
    layer({ mcp_servers: { a: { url: "https://x.example", auth: "oauth", oauth, oauth_resource: "r" } } }),
  ]);
  assertEquals([servers.map(({ kind }) => kind), disabled], [["http"], []]);
});

test("readServers: a root that is no table is told, and could have said something about any server", () => {
  const servers = {
    mcp_servers: { a: { command: "x" }, e: { url: "https://mcp.example", auth: "ema_auth" } },
  };
  for (const kind of ["user", "administrator", "system"] as const) {
    const other = kind === "system" ? "user" : "system";
    const told = brief(readServers([layer({ mcp_servers: [] }, { kind }), layer(servers, { kind: other })]));
    assertEquals(told, {
      servers: [],
      disabled: ["a FIELD_TYPE", "e FIELD_TYPE"],
      faults: ["FIELD_TYPE mcp_servers"],
      warnings: [],
    });
  }
});

test("readServers: layers are merged field by field, each fault stands where the field does", () => {
  const administrator = layer({ mcp_servers: { a: { disabled_tools: ["rm"], env: { A: "1" } } } }, {
    kind: "administrator",
  });
  const system = layer({ mcp_servers: { a: { command: "x", env: { A: "0", B: 2 } } } }, { kind: "system" });
  const { disabled } = readServers([administrator, system]);
  assertEquals(disabled[0]?.faults.map(({ field, layer }) => `${field} ${layer?.kind}`), [
    "mcp_servers.a.env.B system",
  ]);
});

test("readServers: a project cannot disable, change or select anything of host policy's servers", () => {
  const user = layer({ mcp_servers: { a: { url: "https://x.example", bearer_token_env_var: "T" } } });
  const project: ServerLayer = {
    ...layer({ mcp_servers: { a: { url: "https://evil.example", auth: "ema_auth", idp: "x" } } }, {
      kind: "project",
    }),
    admitted: "trusted-project",
  };
  const configuration = readServers([user, project]);
  assertEquals(brief(configuration), {
    servers: ["a http"],
    disabled: [],
    faults: [],
    warnings: ["LAYER_IGNORED mcp_servers.a"],
  });
  const [server] = configuration.servers;
  assertEquals(server?.kind === "http" && server.url, "https://x.example");
});

test("readServers: a trusted project's own servers are used, never enterprise ones", () => {
  const values = { mcp_servers: { a: { command: "x" }, b: { url: "https://x.example", auth: "ema_auth" } } };
  const project = layer(values, { kind: "project" });
  assertEquals(brief(readServers([project]))["disabled"], [
    "a LAYER_NOT_TRUSTED",
    "b LAYER_NOT_TRUSTED LAYER_NOT_TRUSTED LAYER_NOT_TRUSTED",
  ]);
  for (const admitted of ["trusted-project", "named-file"] as const) {
    const { servers, disabled } = brief(readServers([{ ...project, admitted }]));
    assertEquals([servers, disabled], [["a stdio"], ["b LAYER_NOT_TRUSTED LAYER_NOT_TRUSTED"]]);
  }
});

test("readServers: the files of other hosts, with faults in their words", () => {
  const values = {
    mcpServers: {
      ok: { command: "npx", args: ["-y", "x"], env: { T: "${env:TOKEN}", N: 7 } },
      remote: { type: "http", url: "https://x.example/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
      off: { command: "x", disabled: true, alwaysAllow: ["a"] },
      old: { type: "sse", url: "https://x.example/sse" },
      missing: { command: "x", env: { T: "${env:MISSING}" } },
      wrong: { url: "https://x.example", headers: { A: 1 }, timeout: 60 },
    },
  };
  const json: ServerLayer = { kind: "user", source: "mcp.json", values, codexFile: false, format: "json" };
  const configuration = readServers([json], { environment: { TOKEN: "secret-7" } });
  assertEquals(brief(configuration), {
    servers: ["ok stdio", "remote http", "off stdio"],
    disabled: ["old TRANSPORT_UNKNOWN", "missing VARIABLE_MISSING", "wrong FIELD_TYPE"],
    faults: [
      "TRANSPORT_UNKNOWN mcpServers.old.type",
      "VARIABLE_MISSING mcpServers.missing.env.T",
      "FIELD_TYPE mcpServers.wrong.headers.A",
    ],
    warnings: ["FIELD_UNKNOWN mcpServers.wrong.timeout"],
  });
  const [ok, remote, off] = configuration.servers;
  assertEquals(ok?.kind === "stdio" && ok.env, { T: "secret-7", N: "7" });
  assertEquals(remote?.kind === "http" && remote.headers, { Authorization: "Bearer secret-7" });
  assertEquals(off?.enabled, false);
  assertEquals(JSON.stringify([configuration.faults, configuration.warnings]).includes("secret-7"), false);
});

test("readServers: never throws, and no finding holds a value", () => {
  const kinds = fc.constantFrom("system", "administrator", "user", "project", "plugin");
  const anyLayer = fc.record({
    kind: kinds,
    source: fc.constantFrom("a", "b", "c"),
    values: fc.oneof(anyValue, fc.record({ mcp_servers: fc.dictionary(fc.string(), anyValue) })),
    codexFile: fc.boolean(),
    format: fc.constantFrom("toml", "json"),
    admitted: fc.constantFrom("trusted-project", "named-file"),
  }, { requiredKeys: ["kind", "source", "values", "codexFile"] });
  fc.assert(
    fc.property(fc.array(anyLayer as fc.Arbitrary<ServerLayer>, { maxLength: 3 }), (layers) => {
      const configuration = readServers(layers);
      const { servers, disabled, enterprise, faults, warnings } = configuration;
      assertEquals(JSON.stringify([disabled, faults, warnings]).includes(SECRET), false);
      const names = [...servers, ...disabled].map(({ name }) => name);
      assertEquals(new Set(names).size, names.length);
      const own = servers.filter(({ kind }) => kind === "enterprise").map(({ name }) => name);
      assertEquals(enterprise.servers.map(({ name }) => name).toSorted(), own.toSorted());
    }),
    { numRuns: 300 },
  );
});
