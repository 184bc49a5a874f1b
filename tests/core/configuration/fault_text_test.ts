import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { renderFault } from "../../../core/configuration/fault_text.ts";
import { faultOf, warningOf } from "../../../core/configuration/layers/fault.ts";

const layer = { kind: "user", source: "/home/dev/.codex/config.toml" } as const;
const path = ["mcp_servers", "files", "args"];
const state = "it must be a list of strings.";

test("renderFault: file, line, field and what to do, in one line", () => {
  const fault = faultOf("FIELD_TYPE", { path, layer, state });
  assertEquals(
    renderFault({ ...fault, line: 12 }),
    "/home/dev/.codex/config.toml:12: Cannot use mcp_servers.files.args: it must be a list of strings.",
  );
  assertEquals(
    renderFault(fault),
    "/home/dev/.codex/config.toml: Cannot use mcp_servers.files.args: it must be a list of strings.",
  );
});

test("renderFault: without a layer, for a whole file, and for a warning", () => {
  assertEquals(
    renderFault(faultOf("FEATURE_OFF", { path: ["features"], layer: null, state: "off." })),
    "Cannot use features: off.",
  );
  assertEquals(
    renderFault({ ...faultOf("FILE_MALFORMED", { path: [], layer, state: "it is no TOML." }), line: 3 }),
    "/home/dev/.codex/config.toml:3: Cannot use it: it is no TOML.",
  );
  const text = (place: string): string => `The field ${place} is not known here.`;
  assertEquals(
    renderFault(warningOf("FIELD_UNKNOWN", { path, layer, text })),
    "/home/dev/.codex/config.toml: The field mcp_servers.files.args is not known here.",
  );
});

test("renderFault: nothing that a terminal acts on", () => {
  const source = "/tmp/a\n\x1b[31mb\u202ec\u2028.toml";
  const text = renderFault(
    faultOf("FIELD_TYPE", { path: ["a\x1b"], layer: { kind: "project", source }, state }),
  );
  assertEquals(text, `/tmp/a\\u{a}\\u{1b}[31mb\\u{202e}c\\u{2028}.toml: Cannot use "a\\u001b": ${state}`);
});
