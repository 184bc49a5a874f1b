import { test } from "node:test";
import { assertEquals } from "@std/assert";
import type { Findings } from "../../../../core/enterprise/config/table.ts";
import { readProviders } from "../../../../core/enterprise/config/provider.ts";
import type { ConfigurationLayer } from "../../../../core/configuration/layers/layer.ts";
import { changed, layer, workingValues } from "./layers.ts";

function read(...layers: ConfigurationLayer[]) {
  const findings: Findings = { faults: [], warnings: [] };
  const results = readProviders(layers, findings);
  return {
    providers: results.flatMap(({ provider }) => provider ?? []),
    faults: findings.faults.map(({ code, field }) => `${code} ${field}`),
    findings,
    results,
  };
}

const ROOT = "mcp_enterprise_managed_auth";

/** Reads the working provider with these fields on top; `undefined` takes one out. */
function withFields(fields: Record<string, unknown>) {
  return read(changed((v) => {
    const idp = { ...v.mcp_enterprise_managed_auth.idp!, ...fields };
    for (const [name, value] of Object.entries(fields)) {
      if (value === undefined) delete (idp as Record<string, unknown>)[name];
    }
    v.mcp_enterprise_managed_auth.idp = idp;
  }));
}

test("readProviders: an incomplete provider, field by field", () => {
  assertEquals(withFields({ issuer: undefined }).faults, [`FIELD_MISSING ${ROOT}.idp.issuer`]);
  assertEquals(withFields({ client_id: undefined }).faults, [`FIELD_MISSING ${ROOT}.idp.client_id`]);
  assertEquals(withFields({ client_id: " " }).faults, [`FIELD_EMPTY ${ROOT}.idp.client_id`]);
  assertEquals(withFields({ issuer: 7 }).faults.includes(`FIELD_TYPE ${ROOT}.idp.issuer`), true);
  assertEquals(read(layer({ [ROOT]: { idp: "https://idp.example" } })).faults, [`FIELD_TYPE ${ROOT}.idp`]);
});

test("readProviders: one that is split over two layers is not put together", () => {
  const one = layer({ [ROOT]: { idp: { issuer: "https://idp.example" } } }, { kind: "system" });
  const two = layer({ [ROOT]: { idp: { client_id: "x" } } }, { kind: "user" });
  const { providers, faults, findings } = read(one, two);
  assertEquals(providers, []);
  assertEquals(faults, [`SPLIT_OVER_LAYERS ${ROOT}.idp`]);
  assertEquals(findings.faults[0]?.layer, { kind: "user", source: "user.toml" });
});

test("readProviders: an untrusted layer is not read, and does not disturb a trusted one", () => {
  const evil = layer({ [ROOT]: { idp: { issuer: "https://evil.example", client_id: "x" } } }, {
    kind: "plugin",
  });
  const { providers, faults } = read(layer(workingValues()), evil);
  assertEquals(providers.map(({ issuer }) => issuer), ["https://idp.example"]);
  assertEquals(faults, [`LAYER_NOT_TRUSTED ${ROOT}`]);
});

test("readProviders: URLs follow the rules for addresses", () => {
  const refused = {
    "http://idp.example": "issuer",
    "https://user@idp.example": "issuer",
    "https://idp.example/#": "issuer",
    "https://idp.example/?a": "issuer",
    "idp.example": "issuer",
  };
  for (const [issuer, field] of Object.entries(refused)) {
    assertEquals(withFields({ issuer }).faults, [`URL_REFUSED ${ROOT}.idp.${field}`], issuer);
  }
  for (const issuer of ["https://idp.example/", "https://idp.example", "http://localhost:8080/realms/a"]) {
    assertEquals(withFields({ issuer }).providers[0]?.issuer, issuer);
  }
  assertEquals(
    withFields({ token_endpoint: "https://login.example/token" }).providers[0]?.tokenEndpoint,
    "https://login.example/token",
  );
  for (const field of ["token_endpoint", "revocation_endpoint", "device_authorization_endpoint"]) {
    assertEquals(withFields({ [field]: "http://127.0.0.1/x" }).faults, [`URL_REFUSED ${ROOT}.idp.${field}`]);
  }
});

test("readProviders: several, by name", () => {
  const idps = {
    acme: { issuer: "https://a.example", client_id: "a" },
    "b c": { issuer: "https://b.example", client_id: "b" },
  };
  const { providers, faults } = read(layer({ [ROOT]: { idps } }));
  assertEquals(providers.map(({ name, issuer }) => [name, issuer]), [["acme", "https://a.example"]]);
  assertEquals(faults, [`NAME_MALFORMED ${ROOT}.idps."b c"`]);
  const both = { idp: { issuer: "https://x.example", client_id: "x" }, idps: { default: idps.acme } };
  assertEquals(read(layer({ [ROOT]: both })).faults, [`NAME_TAKEN ${ROOT}.idps.default`]);
  assertEquals(read(layer({ [ROOT]: both })).providers, []);
});

test("readProviders: the other fields", () => {
  const fields = { redirect_port: 8123n, scopes: ["openid", "openid"], prompt_login: true };
  const [provider] = withFields(fields).providers;
  assertEquals([provider?.redirectPort, provider?.scopes, provider?.promptLogin], [8123, ["openid"], true]);
  for (const port of [0, 65536, 1.5, "80", -1]) {
    assertEquals(withFields({ redirect_port: port }).faults, [`VALUE_UNKNOWN ${ROOT}.idp.redirect_port`]);
  }
  const typo = withFields({ token_endpont: "x" });
  assertEquals(typo.findings.warnings.map(({ code, field }) => `${code} ${field}`), [
    `FIELD_UNKNOWN ${ROOT}.idp.token_endpont`,
  ]);
  assertEquals(typo.providers.length, 1);
});
