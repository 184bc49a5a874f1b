import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  fieldOf,
  hasField,
  isTable,
  layerOf,
  mergeServer,
  refuse,
  warn,
} from "../../../core/configuration/merged_server.ts";
import { layer } from "../enterprise/config/layers.ts";

const strong = layer({ mcp_servers: { s: { args: ["p"], env: { B: "strong", C: "strong" } } } }, {
  kind: "administrator",
});
const weak = layer({ mcp_servers: { s: { command: "x", args: ["u", "v"], env: { A: "weak", B: "weak" } } } });

test("mergeServer: tables field by field, everything else replaced, as Codex merges layers", () => {
  const server = mergeServer([strong, weak], { name: "s", findings: { faults: [], warnings: [] } });
  assertEquals(server.fields, {
    command: "x",
    args: ["p"],
    env: { A: "weak", B: "strong", C: "strong" },
  });
  assertEquals([hasField(server, "command"), hasField(server, "url"), fieldOf(server, "env", "A")], [
    true,
    false,
    "weak",
  ]);
});

test("layerOf: the strongest layer that has the field, else the strongest", () => {
  const server = mergeServer([strong, weak], { name: "s", findings: { faults: [], warnings: [] } });
  const kinds = [["command"], ["args"], ["env", "A"], ["env", "B"], ["url"], []].map((path) =>
    layerOf(server, path).kind
  );
  assertEquals(kinds, ["user", "administrator", "user", "administrator", "administrator", "administrator"]);
});

test("refuse, warn: the finding stands in the layer that has the field", () => {
  const server = mergeServer([strong, weak], { name: "s", findings: { faults: [], warnings: [] } });
  refuse(server, ["FIELD_TYPE", ["env", "A"], "it must be a string."]);
  warn(server, ["FIELD_UNSUPPORTED", "args", (place) => `Not ${place}.`]);
  const [fault] = server.findings.faults;
  assertEquals([fault?.path, fault?.layer?.kind], [["mcp_servers", "s", "env", "A"], "user"]);
  assertEquals(server.findings.warnings[0]?.layer.kind, "administrator");
});

test("merging takes own properties only, whatever their names are", () => {
  const values = JSON.parse('{"mcp_servers": {"s": {"env": {"__proto__": "a", "constructor": "b"}}}}');
  const server = mergeServer([layer(values), weak], { name: "s", findings: { faults: [], warnings: [] } });
  assertEquals(Object.keys(fieldOf(server, "env") as object).toSorted(), [
    "A",
    "B",
    "__proto__",
    "constructor",
  ]);
  assertEquals([fieldOf(server, "toString"), fieldOf(server, "env", "hasOwnProperty")], [
    undefined,
    undefined,
  ]);
});

test("isTable: neither a list nor a date", () => {
  assertEquals([{}, [], new Date(0), null, "x"].map(isTable), [true, false, false, false, false]);
});
