import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isForeignLayer, translateLayer } from "../../../core/configuration/foreign.ts";
import type { ServerLayer } from "../../../core/configuration/layer.ts";
import { anyValue } from "./any_value.ts";

function json(values: unknown): ServerLayer {
  return { kind: "user", source: "mcp.json", values, codexFile: false, format: "json" };
}

test("translateLayer: each place where other hosts have their servers", () => {
  const server = { command: "x" };
  for (
    const values of [
      { mcpServers: { s: server } },
      { servers: { s: server }, inputs: [] },
      { mcp: { servers: { s: server } } },
    ]
  ) {
    const { layer } = translateLayer(json(values), {});
    assertEquals((layer.values as Record<string, unknown>)["mcp_servers"], { s: { command: "x" } });
  }
});

test("translateLayer: Codex's own vocabulary stays as it is, in JSON and in TOML", () => {
  const native = json({ mcp_servers: {}, servers: { s: {} } });
  assertEquals([native, json({}), json({ servers: {} })].map(isForeignLayer), [false, false, true]);
  assertEquals(translateLayer(native, {}), { layer: native, faults: new Map(), rename: null });
  const toml: ServerLayer = { ...json({ mcpServers: { s: {} } }), format: "toml" };
  assertEquals(translateLayer(toml, {}).rename, null);
  const { format: _format, ...unsaid } = toml;
  assertEquals(translateLayer(unsaid, {}).rename, null);
});

test("translateLayer: paths come back in the words of the file", () => {
  const { rename } = translateLayer(json({ servers: { s: { headers: {}, disabled: true } } }), {});
  const path = (...steps: string[]): string => rename?.(steps).join(".") ?? "";
  assertEquals([
    path("mcp_servers", "s", "http_headers", "A"),
    path("mcp_servers", "s", "enabled"),
    path("mcp_servers", "s", "command"),
    path("mcp_servers", "other", "enabled"),
    path("mcp_servers"),
    path("features", "use_xaa"),
  ], [
    "servers.s.headers.A",
    "servers.s.disabled",
    "servers.s.command",
    "servers.other.enabled",
    "servers",
    "features.use_xaa",
  ]);
});

test("translateLayer: off under either name is off, and a flaw belongs to its server", () => {
  const { layer, faults } = translateLayer(
    json({
      mcpServers: {
        a: { disabled: true, enabled: true, type: "sse" },
        b: { enabled: true, disabled: true },
        c: 3,
      },
    }),
    {},
  );
  assertEquals((layer.values as { mcp_servers: unknown }).mcp_servers, {
    a: { enabled: false },
    b: { enabled: false },
    c: 3,
  });
  assertEquals(faults.get("a")?.map(({ code, field }) => `${code} ${field}`), [
    "TRANSPORT_UNKNOWN mcp_servers.a.type",
  ]);
  assertEquals(faults.get("b"), []);
});

test("translateLayer: never throws", () => {
  fc.assert(fc.property(anyValue, (servers) => {
    translateLayer(json({ mcpServers: servers }), {});
    translateLayer(json(servers), {});
  }));
});
