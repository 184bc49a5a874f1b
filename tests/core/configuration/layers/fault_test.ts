import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  faultError,
  faultOf,
  fieldName,
  placeOf,
  warningOf,
} from "../../../../core/configuration/layers/fault.ts";

test("faultOf: field, layer and state in one sentence", () => {
  const layer = { kind: "user", source: "/home/dev/.codex/config.toml" } as const;
  const fault = faultOf("FIELD_EMPTY", { path: ["mcp_servers", "s", "url"], layer, state: "it is empty." });
  assertEquals(fault, {
    code: "FIELD_EMPTY",
    field: "mcp_servers.s.url",
    path: ["mcp_servers", "s", "url"],
    layer,
    message: 'Cannot use mcp_servers.s.url of user layer "/home/dev/.codex/config.toml": it is empty.',
  });
  const error = faultError(fault);
  assertEquals([error.code, error.reason, error.field], [
    "CONFIGURATION_REFUSED",
    "FIELD_EMPTY",
    fault.field,
  ]);
  assertEquals(error.message, fault.message);
});

test("warningOf: the sentence names the field and its layer, the path stays whole", () => {
  const layer = { kind: "user", source: "config.toml" } as const;
  const path = ["mcp_servers", "x".repeat(500), "a b"];
  const text = (place: string): string => `The field ${place} is not known here.`;
  const warning = warningOf("FIELD_UNKNOWN", { path, layer, text });
  assertEquals([warning.code, warning.path, warning.layer], ["FIELD_UNKNOWN", path, layer]);
  assertEquals(warning.message.endsWith('…"."a b" of user layer "config.toml" is not known here.'), true);
});

test("fieldName: a name that is not ours is quoted and cut", () => {
  assertEquals(fieldName(["a", "b c", "d"]), 'a."b c".d');
  assertEquals(fieldName(["x".repeat(500)]).length < 100, true);
});

test("placeOf: a field of a layer, or the layer where no field is meant", () => {
  const layer = { kind: "user", source: "/a.toml" } as const;
  assertEquals([placeOf("a.b", layer), placeOf("", layer), placeOf("a.b", null)], [
    'a.b of user layer "/a.toml"',
    'user layer "/a.toml"',
    "a.b",
  ]);
});
