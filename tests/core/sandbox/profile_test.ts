import { test } from "node:test";
import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import type { JsonValue } from "../../../core/json/value.ts";
import { inspectProfile } from "../../../core/sandbox/profile.ts";
import { CAPTURES_WITH_STATE } from "../../fixtures/captures/mod.ts";
import { exactJson } from "../arbitrary_json.ts";
import { polluted } from "../polluted.ts";

test("inspectProfile: of every capture", () => {
  for (const { meta, mode } of CAPTURES_WITH_STATE) {
    const expected = mode === "danger-full-access" ? "disabled" : "managed";
    assertStrictEquals(inspectProfile(meta["codex/sandbox-state"]!), expected);
  }
});

test("inspectProfile: by the type alone", () => {
  const kind = (type: JsonValue) => inspectProfile({ permissionProfile: { type, other: [1] }, more: null });
  assertEquals(["managed", "disabled"].map(kind), ["managed", "disabled"]);
  for (
    const type of ["Disabled", "DISABLED", "disabled ", "external", "", null, 0, true, ["disabled"], {
      disabled: 1,
    }]
  ) {
    assertStrictEquals(kind(type as JsonValue), "unknown");
  }
});

test("inspectProfile: anything else is unknown", () => {
  const disabled = { type: "disabled" };
  const states: readonly unknown[] = [
    ...[null, "disabled", 7, [], [{ permissionProfile: disabled }], {}, { type: "disabled" }],
    ...[null, "disabled", [disabled], {}].map((permissionProfile) => ({ permissionProfile })),
    Object.create({ permissionProfile: disabled }),
    { permissionProfile: Object.create(disabled) },
    { permissionprofile: disabled },
  ];
  for (const state of states) assertStrictEquals(inspectProfile(state as JsonValue), "unknown");
  const got = polluted(
    Object.prototype,
    ["type", "managed"],
    () => inspectProfile({ permissionProfile: {} }),
  );
  assertStrictEquals(got, "unknown");
});

test("inspectProfile: takes any JSON value", () => {
  fc.assert(fc.property(exactJson, (state) => assertStrictEquals(inspectProfile(state), "unknown")));
});
