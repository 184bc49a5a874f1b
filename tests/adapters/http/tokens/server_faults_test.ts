import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { registeredServers, ServerFaults } from "../../../../adapters/http/tokens/server_faults.ts";
import { serverEntries } from "../../../../adapters/http/authorization/server_registry.ts";
import { readConfiguration } from "../../../../core/enterprise/config/configuration.ts";
import { configurationOf } from "../fake_legs.ts";

test("a disabled server has its first fault, and stays registered where it was", () => {
  const faults = new ServerFaults();
  faults.load(configurationOf({ http_headers: { authorization: "x" } }));
  const code = faults.of("notes")?.code;
  assertEquals(typeof code, "string");
  assertEquals([faults.of("other"), faults.ofProviders], [null, null]);
  const before = [{ name: "notes", fingerprint: "f", disabled: null }];
  assertEquals(registeredServers([], { before, faults }), [{
    name: "notes",
    fingerprint: "f",
    disabled: code ?? null,
  }]);
  faults.load(configurationOf());
  assertEquals([faults.of("notes"), registeredServers([], { before, faults })], [null, []]);
});

test("a server that is switched off is disabled, and registered as such", async () => {
  const faults = new ServerFaults();
  const configuration = configurationOf({ enabled: false });
  faults.load(configuration);
  const { code, field } = faults.of("notes") ?? {};
  assertEquals([code, field], ["SWITCHED_OFF", "mcp_servers.notes.enabled"]);
  const entries = await serverEntries(configuration, createDigest());
  const [registered, ...others] = registeredServers(entries, { before: [], faults });
  assertEquals([registered?.name, registered?.disabled, others], ["notes", "SWITCHED_OFF", []]);
});

test("a fault of an identity provider is told apart", () => {
  const faults = new ServerFaults();
  const values = {
    mcp_enterprise_managed_auth: { idp: { issuer: "http://idp.example", client_id: "codex" } },
  };
  faults.load(readConfiguration([{ kind: "user", source: "config.toml", values, codexFile: true }]));
  assertEquals(faults.ofProviders?.code, "URL_REFUSED");
  const project = [{ kind: "project", source: "x", values, codexFile: false }] as const;
  faults.load(readConfiguration(project));
  assertEquals(faults.ofProviders, null, "a project's attempt is nobody else's fault");
});
