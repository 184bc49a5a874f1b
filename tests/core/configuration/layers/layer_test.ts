import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { isHostPolicy, namesAt, policyLayers, valueAt } from "../../../../core/configuration/layers/layer.ts";
import { layer } from "../../enterprise/config/layers.ts";

test("policyLayers: the administrator's first, then the user's, then the system's; the later of a kind first", () => {
  const kinds = ["plugin", "user", "system", "administrator", "project"] as const;
  const layers = [...kinds.map((kind) => layer({}, { kind })), layer({}, { kind: "user", source: "later" })];
  assertEquals(policyLayers(layers).map(({ source }) => source), [
    "administrator.toml",
    "later",
    "user.toml",
    "system.toml",
  ]);
  assertEquals(kinds.map((kind) => isHostPolicy({ kind })), [false, true, true, true, false]);
});

test("valueAt, namesAt: own members only", () => {
  const values = JSON.parse('{"a":{"__proto__":{"b":1},"c":null}}');
  assertEquals(valueAt(values, ["a", "__proto__", "b"]), 1);
  assertEquals(valueAt(values, ["a", "c"]), null);
  assertEquals(valueAt(values, ["a", "toString"]), undefined);
  assertEquals(valueAt(values, ["a", "c", "d"]), undefined);
  assertEquals(namesAt(values, ["a"]), ["__proto__", "c"]);
  assertEquals(namesAt(values, ["x"]), []);
  assertEquals(namesAt([["x"]], []), []);
});
