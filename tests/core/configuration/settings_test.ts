import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { mergeServer } from "../../../core/configuration/merged_server.ts";
import { HTTP_FIELDS, readSettings, STDIO_FIELDS } from "../../../core/configuration/settings.ts";
import { layer } from "../enterprise/config/layers.ts";
import { brief, foundIn, serverWith } from "./merged.ts";

test("readSettings: the defaults of Codex", () => {
  assertEquals(readSettings(serverWith({})), {
    name: "s",
    enabled: true,
    environment: "local",
    protocol: "auto",
    enabledTools: null,
    disabledTools: [],
    startupTimeoutMs: 30_000,
    toolTimeoutMs: 300_000,
    layer: { kind: "user", source: "user.toml" },
    unknown: {},
  });
});

test("readSettings: what is configured, lists without repetitions", () => {
  const server = serverWith({
    enabled: false,
    environment_id: "build-box",
    protocol: "2026-07-28",
    enabled_tools: ["a", "b", "a"],
    disabled_tools: ["c", "c"],
    startup_timeout_sec: 2.5,
    tool_timeout_sec: 60n,
  });
  const { layer: _layer, unknown: _unknown, name: _name, ...settings } = readSettings(server);
  assertEquals(settings, {
    enabled: false,
    environment: "build-box",
    protocol: "2026-07-28",
    enabledTools: ["a", "b"],
    disabledTools: ["c"],
    startupTimeoutMs: 2500,
    toolTimeoutMs: 60_000,
  });
  assertEquals(foundIn(server), []);
});

test("readSettings: an empty list of tools allows none, and seconds count before milliseconds", () => {
  assertEquals(readSettings(serverWith({ enabled_tools: [] })).enabledTools, []);
  assertEquals(readSettings(serverWith({ startup_timeout_ms: 2000 })).startupTimeoutMs, 2000);
  const both = serverWith({ startup_timeout_ms: 2000, startup_timeout_sec: 5 });
  assertEquals(readSettings(both).startupTimeoutMs, 5000);
});

test("readSettings: every wrong setting is named", () => {
  const server = serverWith({
    enabled: "yes",
    environment_id: "",
    protocol: "2025-06-18",
    enabled_tools: "all",
    disabled_tools: [1],
    startup_timeout_sec: 0,
    startup_timeout_ms: 1.5,
    tool_timeout_sec: "60",
  });
  readSettings(server);
  assertEquals(foundIn(server).toSorted(), [
    "FIELD_EMPTY environment_id",
    "FIELD_TYPE disabled_tools.0",
    "FIELD_TYPE enabled",
    "FIELD_TYPE enabled_tools",
    "FIELD_TYPE startup_timeout_ms",
    "FIELD_TYPE tool_timeout_sec",
    "VALUE_RANGE startup_timeout_sec",
    "VALUE_UNKNOWN protocol",
  ]);
});

test("readSettings: unknown fields are kept and told once a layer; Codex's own are none", () => {
  const findings = { faults: [], warnings: [] };
  const layers = [
    layer({ mcp_servers: { s: { colour: "red", big: 2n ** 60n } } }, { kind: "administrator" }),
    layer({ mcp_servers: { s: { colour: "blue", since: new Date(0) } } }),
  ] as const;
  const { unknown } = readSettings(mergeServer(layers, { name: "s", findings }));
  assertEquals(unknown, { colour: "red", big: String(2n ** 60n), since: "1970-01-01T00:00:00.000Z" });
  assertEquals(findings.warnings.map(brief), [
    "FIELD_UNKNOWN colour",
    "FIELD_UNKNOWN big",
    "FIELD_UNKNOWN colour",
    "FIELD_UNKNOWN since",
  ]);
  const known = serverWith(Object.fromEntries(
    [
      ...STDIO_FIELDS,
      ...HTTP_FIELDS,
      "name",
      "required",
      "startup_readiness",
      "supports_parallel_tool_calls",
      "default_tools_approval_mode",
      "tools",
      "omit_tools_from",
      "scopes",
      "idp",
      "subject_token",
      "require_extension",
    ].map((field) => [field, "x"]),
  ));
  assertEquals(readSettings(known).unknown, {});
  assertEquals(foundIn(known), []);
});
