import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  isMeantForEnterprise,
  selectsEnterprise,
  serverNames,
  serverTables,
  untrustedFaults,
} from "../../../../core/enterprise/config/server_layers.ts";
import { layer } from "./layers.ts";

const server = (fields: Record<string, unknown>) => ({ mcp_servers: { s: fields } });

test("serverNames: of every layer, each once", () => {
  assertEquals(
    serverNames([layer({ mcp_servers: { a: {}, b: {} } }), layer({ mcp_servers: { b: {}, c: 1 } })]),
    [
      "a",
      "b",
      "c",
    ],
  );
});

test("selectsEnterprise: the strongest layer of host policy decides", () => {
  const user = layer(server({ auth: "ema_auth" }));
  const administrator = layer(server({ auth: "oauth" }), { kind: "administrator" });
  const project = layer(server({ auth: "oauth" }), { kind: "project" });
  assertEquals(selectsEnterprise([user], "s"), true);
  assertEquals(selectsEnterprise([user, administrator], "s"), false);
  assertEquals(selectsEnterprise([user, project], "s"), true);
  assertEquals(selectsEnterprise([layer(server({ auth: "ema_auth" }), { kind: "plugin" })], "s"), false);
});

test("isMeantForEnterprise: any layer of host policy", () => {
  const user = layer(server({ auth: "ema_auth" }));
  const administrator = layer({ mcp_servers: { s: false } }, { kind: "administrator" });
  const stronger = layer(server({ auth: "oauth" }), { kind: "administrator" });
  for (const layers of [[user], [user, administrator], [stronger, user]]) {
    assertEquals(isMeantForEnterprise(layers, "s"), true);
  }
  const project = layer(server({ auth: "ema_auth" }), { kind: "project" });
  assertEquals(isMeantForEnterprise([project, administrator, stronger], "s"), false);
});

test("serverTables: only host policy, the strongest layer that has the field", () => {
  const findings = { faults: [], warnings: [] };
  const system = layer(server({ url: "weak", scopes: [] }), { kind: "system" });
  const user = layer(server({ url: "strong" }));
  const tables = serverTables([user, system], { name: "s", findings });
  assertEquals(tables?.layerOf("url")?.kind, "user");
  assertEquals(tables?.layerOf("scopes")?.kind, "system");
  assertEquals(tables?.layerOf("oauth"), null);
  assertEquals(tables?.tableOf("oauth").layer.kind, "user");
  assertEquals([tables?.isSplit("url"), tables?.isSplit("scopes")], [true, false]);
  const project = layer(server({ url: "x" }), { kind: "project" });
  assertEquals(serverTables([project], { name: "s", findings }), null);
});

test("untrustedFaults: an attempt, or nothing", () => {
  const codes = (fields: Record<string, unknown>) =>
    untrustedFaults([layer(server(fields), { kind: "plugin" })], "s").map(({ field }) => field);
  assertEquals(codes({ url: "x", auth: "oauth", oauth: { client_id: "x" } }), []);
  assertEquals(codes({ url: "x", subject_token: "auto" }), [
    "mcp_servers.s.subject_token",
    "mcp_servers.s.url",
  ]);
});
