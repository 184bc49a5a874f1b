import { test } from "node:test";
import { assertEquals } from "@std/assert";
import type { ServerLayer } from "../../../core/configuration/layer.ts";
import { holdersOf } from "../../../core/configuration/server_holders.ts";
import type { Findings } from "../../../core/enterprise/config/table.ts";
import { layer } from "../enterprise/config/layers.ts";
import { brief } from "./merged.ts";

const values = { mcp_servers: { s: { command: "x" } } };
const project = layer(values, { kind: "project" });
const trusted: ServerLayer = { ...project, source: "trusted.toml", admitted: "trusted-project" };
const deeper: ServerLayer = { ...trusted, source: "deeper.toml" };
const named: ServerLayer = { ...project, source: "named.toml", admitted: "named-file" };

function holders(layers: readonly ServerLayer[]): { sources: string[]; found: string[] } {
  const findings: Findings = { faults: [], warnings: [] };
  const sources = holdersOf(layers, { name: "s", findings }).map(({ source }) => source);
  return { sources, found: [...findings.faults, ...findings.warnings].map(brief) };
}

test("holdersOf: host policy, the strongest first", () => {
  const kinds = (["user", "administrator", "system"] as const).map((kind) => layer(values, { kind }));
  assertEquals(holders(kinds).sources, ["administrator.toml", "user.toml", "system.toml"]);
});

test("holdersOf: a project or a plugin changes nothing about a server of host policy, trusted or not", () => {
  const plugin = layer(values, { kind: "plugin" });
  assertEquals(holders([layer(values, { kind: "system" }), project, trusted, named, plugin]), {
    sources: ["system.toml"],
    found: ["LAYER_IGNORED", "LAYER_IGNORED", "LAYER_IGNORED", "LAYER_IGNORED"],
  });
});

test("holdersOf: a project's own server needs trust, or a person who named the file", () => {
  assertEquals(holders([project]), { sources: [], found: ["LAYER_NOT_TRUSTED"] });
  assertEquals(holders([layer(values, { kind: "plugin" })]).found, ["LAYER_NOT_TRUSTED"]);
  assertEquals(holders([trusted]), { sources: ["trusted.toml"], found: [] });
  assertEquals(holders([named, trusted, deeper]).sources, ["named.toml", "deeper.toml", "trusted.toml"]);
  assertEquals(holders([project, trusted]), { sources: ["trusted.toml"], found: ["LAYER_IGNORED"] });
});

test("holdersOf: nothing is used where a layer of host policy has something else in place of all servers", () => {
  for (const kind of ["system", "user", "administrator"] as const) {
    const broken = layer({ mcp_servers: [] }, { kind });
    assertEquals(holders([layer(values), broken, named]), {
      sources: [],
      found: ["FIELD_TYPE mcp_servers"],
    });
  }
  const project = layer({ mcp_servers: [] }, { kind: "project" });
  assertEquals(holders([layer(values), project]), { sources: ["user.toml"], found: [] });
});

test("holdersOf: a server that is no table is told, and nothing weaker takes its place", () => {
  const broken = layer({ mcp_servers: { s: 3 } }, { kind: "administrator" });
  assertEquals(holders([layer(values), broken]), { sources: [], found: ["FIELD_TYPE"] });
});
