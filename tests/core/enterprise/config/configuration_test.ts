import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { readConfiguration } from "../../../../core/enterprise/config/configuration.ts";
import type { ConfigurationLayer } from "../../../../core/configuration/layers/layer.ts";
import { changed, layer, workingValues } from "./layers.ts";

/** `code field` of every fault that disables the tracker; empty when it works. */
function faultsOf(...layers: ConfigurationLayer[]): string[] {
  const { disabled } = readConfiguration(layers);
  return disabled.flatMap(({ faults }) => faults.map(({ code, field }) => `${code} ${field}`));
}

test("readConfiguration: a file of Codex works as it is, every value verbatim", () => {
  for (const kind of ["system", "administrator", "user"] as const) {
    const read = readConfiguration([layer(workingValues(), { kind })]);
    assertEquals(read.disabled, []);
    assertEquals(read.faults, []);
    assertEquals(read.warnings, []);
    assert(read.enabled);
    assertEquals(read.servers, [{
      name: "tracker",
      url: "https://mcp.example/mcp",
      enabled: true,
      provider: "default",
      client: { clientId: "mcp-client", secret: null, privateKey: null, method: null },
      authorizationServer: null,
      tokenEndpoint: null,
      revocationEndpoint: null,
      resource: null,
      scopes: null,
      allowedScopes: null,
      requireExtension: false,
      allowMissingResource: false,
      subjectToken: "auto",
      layer: { kind, source: `${kind}.toml` },
    }]);
    assertEquals(read.providers.map(({ name, issuer }) => [name, issuer]), [[
      "default",
      "https://idp.example",
    ]]);
  }
});

test("readConfiguration: only host policy selects enterprise authentication", () => {
  for (const kind of ["project", "plugin"] as const) {
    const read = readConfiguration([layer(workingValues(), { kind })]);
    assertEquals(read.enabled, false);
    assertEquals([...read.providers, ...read.servers], []);
    assertEquals(read.disabled.map(({ name }) => name), ["tracker"]);
    for (const fault of read.faults) {
      assertEquals(fault.code, "LAYER_NOT_TRUSTED");
      assertEquals(fault.layer, { kind, source: `${kind}.toml` });
    }
    assertEquals(read.faults.map(({ field }) => field).sort(), [
      "features.use_xaa",
      "mcp_enterprise_managed_auth",
      "mcp_servers.tracker.auth",
      "mcp_servers.tracker.oauth",
      "mcp_servers.tracker.url",
    ]);
  }
});

test("readConfiguration: a project cannot move or change a server that host policy selects", () => {
  const fields = {
    url: "https://evil.example/mcp",
    auth: "oauth",
    scopes: ["all"],
    oauth: { client_id: "evil" },
    oauth_resource: "https://evil.example",
    http_headers: { Authorization: "x" },
    command: "evil",
    idp: "evil",
    allow_scopes: ["all"],
  };
  for (const [field, value] of Object.entries(fields)) {
    const project = layer({ mcp_servers: { tracker: { [field]: value } } }, { kind: "project" });
    for (const layers of [[layer(workingValues()), project], [project, layer(workingValues())]]) {
      assertEquals(faultsOf(...layers), [`LAYER_NOT_TRUSTED mcp_servers.tracker.${field}`]);
    }
  }
  const harmless = layer({ mcp_servers: { tracker: { tool_timeout_sec: 5 } } }, { kind: "project" });
  assertEquals(faultsOf(layer(workingValues()), harmless), []);
});

test("readConfiguration: a project may have ordinary servers of its own", () => {
  const project = layer({ mcp_servers: { other: { url: "https://x.example", auth: "oauth" } } }, {
    kind: "project",
  });
  const read = readConfiguration([layer(workingValues()), project]);
  assertEquals(read.faults, []);
  assertEquals(read.servers.map(({ name }) => name), ["tracker"]);
});

test("readConfiguration: the feature is off unless host policy switches it on", () => {
  const off = "FEATURE_OFF features.use_xaa";
  assertEquals(faultsOf(changed((v) => v.features = {})), [off]);
  assertEquals(faultsOf(changed((v) => v.features["use_xaa"] = false)), [off]);
  assertEquals(faultsOf(changed((v) => v.features["use_xaa"] = "true")), [off]);
  const administrator = layer({ features: { use_xaa: false } }, { kind: "administrator" });
  for (const layers of [[administrator, layer(workingValues())], [layer(workingValues()), administrator]]) {
    assertEquals(faultsOf(...layers), [off]);
  }
  const system = layer({ features: { use_xaa: false } }, { kind: "system" });
  assertEquals(faultsOf(layer(workingValues()), system), []);
});

test("readConfiguration: one server's fault leaves the others alone", () => {
  const read = readConfiguration([changed((v) => {
    v.mcp_servers["broken"] = { auth: "ema_auth", oauth: { client_id: "x" } };
  })]);
  assertEquals(read.servers.map(({ name }) => name), ["tracker"]);
  assertEquals(read.disabled.map(({ name, faults }) => [name, faults[0].code, faults[0].field]), [
    ["broken", "FIELD_MISSING", "mcp_servers.broken.url"],
  ]);
});

test("readConfiguration: which identity provider serves a server", () => {
  const idps = {
    acme: { issuer: "https://a.example", client_id: "a" },
    other: { issuer: "https://b.example", client_id: "b" },
  };
  const several = (idp?: string) =>
    changed((v) => {
      v.mcp_enterprise_managed_auth = { idps };
      if (idp !== undefined) Object.assign(v.mcp_servers["tracker"]!, { idp });
    });
  assertEquals(faultsOf(several()), ["PROVIDER_AMBIGUOUS mcp_servers.tracker.idp"]);
  assertEquals(faultsOf(several("nobody")), ["PROVIDER_UNKNOWN mcp_servers.tracker.idp"]);
  assertEquals(readConfiguration([several("other")]).servers[0]?.provider, "other");
  assertEquals(faultsOf(changed((v) => v.mcp_enterprise_managed_auth = {})), [
    "PROVIDER_MISSING mcp_servers.tracker.idp",
  ]);
  const broken = changed((v) => delete v.mcp_enterprise_managed_auth.idp!["client_id"]);
  assertEquals(faultsOf(broken), ["PROVIDER_REFUSED mcp_servers.tracker.idp"]);
  const single = changed((v) => v.mcp_enterprise_managed_auth = { idps: { acme: idps.acme } });
  assertEquals(readConfiguration([single]).servers[0]?.provider, "acme");
});

test("readConfiguration: fields of enterprise authentication beside another auth", () => {
  for (const auth of ["oauth", "chatgpt", undefined]) {
    const set = (fields: Record<string, unknown>) =>
      changed((v) => {
        v.mcp_servers["tracker"] = { url: "https://mcp.example", auth, ...fields };
      });
    assertEquals(faultsOf(set({})), []);
    assertEquals(readConfiguration([set({})]).servers, []);
    assertEquals(faultsOf(set({ require_extension: true })), [
      "AUTH_CONFLICT mcp_servers.tracker.require_extension",
    ]);
    assertEquals(faultsOf(set({ oauth: { client_id: "x", authorization_server_issuer: "y" } })), [
      "AUTH_CONFLICT mcp_servers.tracker.oauth.authorization_server_issuer",
    ]);
  }
});

test("readConfiguration: an auth that is none is told in place of what needs it", () => {
  const set = (auth: unknown, url = "https://mcp.example") =>
    changed((v) => {
      v.mcp_servers["tracker"] = { url, auth, idp: "a", oauth: { token_endpoint_auth_method: "none" } };
    });
  assertEquals(faultsOf(set("ema")), ["VALUE_UNKNOWN mcp_servers.tracker.auth"]);
  assertEquals(faultsOf(set(7)), ["FIELD_TYPE mcp_servers.tracker.auth"]);
  const [fault] = readConfiguration([set("ema")]).faults;
  assertEquals(fault?.message.endsWith("use one of ema_auth, oauth, chatgpt."), true, fault?.message);
});

test("readConfiguration: a name that no command could hold is refused", () => {
  const read = readConfiguration([changed((v) => {
    v.mcp_servers = { "a; rm -rf /": v.mcp_servers["tracker"]! };
  })]);
  assertEquals(read.disabled[0]?.faults[0].code, "NAME_MALFORMED");
  assertEquals(read.servers, []);
});

test("readConfiguration: anything may stand in a layer", () => {
  for (
    const values of [undefined, null, [], "x", 7, { mcp_servers: {} }, { mcp_servers: { a: null, b: [] } }]
  ) {
    const read = readConfiguration([layer(values), layer(workingValues(), { source: "other" })]);
    assertEquals(read.servers.map(({ name }) => name), ["tracker"]);
  }
  const inherited = layer(Object.create(workingValues()));
  assertEquals(readConfiguration([inherited]).servers, []);
  assertEquals(readConfiguration([inherited]).enabled, false);
});

test("readConfiguration: what should be a root table and is none is a fault with its path and layer", () => {
  const wrong: readonly unknown[] = ["x", 5, true, ["x"], new Date(0), null];
  for (const root of ["mcp_servers", "mcp_enterprise_managed_auth", "features"]) {
    for (const value of wrong) {
      const read = readConfiguration([layer({ [root]: value })]);
      const told = read.faults.map(({ code, field, layer }) => [code, field, layer?.source]);
      assertEquals(told, [["FIELD_TYPE", root, "user.toml"]], `${root} ${value}`);
      assertEquals([read.enabled, read.providers, read.servers], [false, [], []]);
      const project = readConfiguration([layer({ [root]: value }, { kind: "project" })]);
      assertEquals([project.enabled, project.providers, project.servers], [false, [], []]);
    }
  }
});

test("readConfiguration: a root that cannot be read does not leave the word to a weaker layer", () => {
  const read = (values: Record<string, unknown>) =>
    readConfiguration([layer(workingValues(), { kind: "system" }), layer(values, { kind: "administrator" })]);
  const features = read({ features: true });
  assertEquals([features.enabled, features.servers], [false, []]);
  for (const values of [{ mcp_enterprise_managed_auth: 5 }, { mcp_enterprise_managed_auth: { idps: "x" } }]) {
    const { providers, servers, disabled, faults } = read(values);
    assertEquals([providers, servers, disabled.map(({ name }) => name)], [[], [], ["tracker"]]);
    assertEquals(faults.map(({ code }) => code), ["FIELD_TYPE", "PROVIDER_REFUSED"]);
  }
});

test("readConfiguration: a word on a server that cannot be read refuses it, whichever layer it is of", () => {
  const others: Record<string, Record<string, unknown>> = workingValues().mcp_servers;
  const user = layer({ ...workingValues(), mcp_servers: { ...others, wiki: { ...others["tracker"] } } });
  for (const kind of ["administrator", "system"] as const) {
    const read = (values: Record<string, unknown>) => {
      const { servers, disabled, faults } = readConfiguration([user, layer(values, { kind })]);
      const told = faults.map(({ code, field, layer }) => `${code} ${field} ${layer?.kind}`);
      return [servers.map(({ name }) => name), disabled.map(({ name }) => name), told];
    };
    for (const tracker of [false, "x", [{ enabled: false }], new Date(0)]) {
      assertEquals(read({ mcp_servers: { tracker } }), [
        ["wiki"],
        ["tracker"],
        [`FIELD_TYPE mcp_servers.tracker ${kind}`],
      ]);
    }
    assertEquals(read({ mcp_servers: [{ name: "tracker", enabled: false }] }), [
      [],
      ["tracker", "wiki"],
      [`FIELD_TYPE mcp_servers ${kind}`],
    ]);
  }
  // one without enterprise authentication is not this half's
  const ordinary = layer({ mcp_servers: { files: { command: "x" } } });
  const { disabled } = readConfiguration([
    ordinary,
    layer({ mcp_servers: { files: 1 } }, { kind: "system" }),
  ]);
  assertEquals(disabled, []);
  // and a project's word counts for nothing
  assertEquals(readConfiguration([user, layer({ mcp_servers: [] }, { kind: "project" })]).servers.length, 2);
});
