import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { featureOff, readFeature } from "../../../../core/enterprise/config/feature.ts";
import type { Findings } from "../../../../core/enterprise/config/table.ts";
import { layer } from "./layers.ts";

/** Whether the feature is on, and what was found. */
function read(values: unknown): readonly [boolean, readonly string[], readonly string[]] {
  const findings: Findings = { faults: [], warnings: [] };
  const enabled = readFeature([layer(values)], findings);
  const told = ({ code, field }: { readonly code: string; readonly field: string }): string =>
    `${code} ${field}`;
  return [enabled, findings.faults.map(told), findings.warnings.map(told)];
}

test("a key that nearly switches it on is warned about, and switches nothing on", () => {
  for (const name of ["use_xxa", "use_xa", "useXAA", "use-xaa", "xaa", "enable_xaa"]) {
    const field = `features.${name}`;
    assertEquals(read({ features: { [name]: true } }), [false, [], [`FIELD_UNKNOWN ${field}`]]);
  }
  assertEquals(read({ feature: { use_xaa: true } }), [false, [], ["FIELD_UNKNOWN feature.use_xaa"]]);
  assertEquals(read({ use_xaa: true }), [false, [], ["FIELD_UNKNOWN use_xaa"]]);
  assertEquals(read({ features: { use_xaa: true, xaa: true } }), [true, [], ["FIELD_UNKNOWN features.xaa"]]);
});

test("other features, and tables of others, are nobody's business", () => {
  const values = {
    features: { web_search: true, unified_exec: true, use_axes: true },
    feature: { a: 1 },
    model: "x",
  };
  assertEquals(read(values), [false, [], []]);
  assertEquals(read({ features: { use_xaa: "yes" } }), [false, ["FIELD_TYPE features.use_xaa"], []]);
});

test("the fault says how it is switched on", () => {
  assertMatch(featureOff().message, /Set use_xaa = true under \[features\]/);
});
