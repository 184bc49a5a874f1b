import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { advertiseSandboxState } from "../../../core/sandbox/capability.ts";
import { buildCallMeta } from "../../../core/sandbox/call_meta.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import type { JsonValue } from "../../../core/json/value.ts";
import { CAPTURES } from "../../fixtures/captures/mod.ts";
import { anyText, canonical, exactJson, objectOf } from "../arbitrary_json.ts";
import { polluted } from "../polluted.ts";
import { refusalCode } from "../refusal.ts";

const STATE = "codex/sandbox-state";
const ALIAS = "codex/sandbox-state-meta";
const LAUNCHER = "codex/sandbox-launcher";
const HOST = [STATE, ALIAS, LAUNCHER];
const capabilities = advertiseSandboxState();
const stale = { [STATE]: "stale", [ALIAS]: ["stale"], [LAUNCHER]: { codexExecutable: "/stale" } };

for (const { name, meta, optedIn } of CAPTURES) {
  test(`buildCallMeta: the host keys of the capture ${name}`, () => {
    const others = objectOf(Object.entries(meta).filter(([key]) => !HOST.includes(key)));
    const launcher = meta[LAUNCHER] as { codexExecutable: string } | undefined;
    for (const before of [others, meta, { ...stale, ...others }, { ...others, ...stale }]) {
      const built = buildCallMeta({
        meta: before,
        capabilities: optedIn ? capabilities : { tools: {} },
        state: meta[STATE] ?? { permissionProfile: { type: "disabled" } },
        launcher: optedIn ? launcher : "/opt/codex/bin/codex",
      });
      assertStrictEquals(JSON.stringify(built), JSON.stringify({ ...others, ...pick(meta) }));
    }
  });
}

function pick(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(HOST.filter((key) => key in meta).map((key) => [key, meta[key]]));
}

test("buildCallMeta: without opt-in, or without a state, the three keys go and nothing comes", () => {
  const launcher = "/opt/codex/bin/codex";
  for (const off of [undefined, null, {}, { experimental: {} }, { experimental: { [STATE]: true } }]) {
    const built = buildCallMeta({ meta: { ...stale, a: 1 }, capabilities: off, state: {}, launcher });
    assertStrictEquals(JSON.stringify(built), '{"a":1}');
  }
  for (const state of [{ state: undefined }, {}]) {
    const built = buildCallMeta({ meta: { a: 1, ...stale }, capabilities, launcher, ...state });
    assertStrictEquals(JSON.stringify(built), '{"a":1}');
  }
});

test("buildCallMeta: either capability name gets both state keys, with the identical value", () => {
  for (const name of [STATE, ALIAS]) {
    for (const state of [null, false, 0, "", [], {}, { a: [1] }] as const) {
      const built = buildCallMeta({ capabilities: { experimental: { [name]: {} } }, state });
      assertEquals(Object.keys(built), [STATE, ALIAS]);
      assertStrictEquals(built[STATE], state);
      assertStrictEquals(built[ALIAS], state);
    }
  }
});

test("buildCallMeta: a _meta that is no object counts as none", () => {
  for (const meta of [undefined, null, [], [1], "text", 7, () => 1]) {
    assertEquals(buildCallMeta({ meta, capabilities: {} }), {});
  }
});

test("buildCallMeta: unrelated entries keep their order, __proto__ being one of them", () => {
  const text =
    '{"z":1,"__proto__":{"polluted":true},"a":2,"constructor":3,"toString":null,"codex/other":4,"":5}';
  const built = buildCallMeta({ meta: JSON.parse(text), capabilities: {} });
  assertStrictEquals(JSON.stringify(built), text);
  assert(Object.hasOwn(built, "__proto__"));
  assertStrictEquals((built as Record<string, unknown>)["polluted"], undefined);
  assertStrictEquals(Object.getPrototypeOf(built), Object.prototype);
  const full = buildCallMeta({ meta: JSON.parse(text), capabilities, state: 1, launcher: "/c" });
  assertEquals(Object.keys(full), [...Object.keys(JSON.parse(text)), ...HOST]);
});

test("buildCallMeta: inherited entries are no entries", () => {
  const meta = Object.assign(Object.create({ inherited: 1, [STATE]: "x" }), { own: 1 });
  assertEquals(buildCallMeta({ meta, capabilities: {} }), { own: 1 });
  const got = polluted(
    Object.prototype,
    ["evil", 1],
    () => Object.keys(buildCallMeta({ meta: {}, capabilities: {} })),
  );
  assertEquals(got, []);
});

test("buildCallMeta: the input is not changed, and is not the output", () => {
  const deepFrozen = Object.freeze({ ...stale, a: Object.freeze({ b: 1 }) });
  const built = buildCallMeta({ meta: deepFrozen, capabilities, state: 1, launcher: "/c" });
  assert(built !== deepFrozen as unknown);
  assertStrictEquals(built["a"], deepFrozen.a);
  assertEquals(deepFrozen, { ...stale, a: { b: 1 } });
});

test("buildCallMeta: which launcher paths go along", () => {
  const sent = (launcher: string, platform?: "linux" | "darwin" | "windows"): unknown =>
    buildCallMeta({ capabilities, state: {}, launcher, platform })[LAUNCHER];
  const unix = [
    "/opt/codex/bin/codex",
    "/a b/c",
    "/ä/😀",
    "/a/codex.exe",
    "//server/share/codex",
    "/x.cmd/codex",
  ];
  const windows = [
    "C:\\codex\\codex.exe",
    "c:/codex.exe",
    "\\\\server\\share\\codex.exe",
    "\\\\?\\C:\\x\\codex.exe",
  ];
  const none = [
    "",
    "codex",
    "./codex",
    "../codex",
    "~/codex",
    "bin/codex",
    "C:codex.exe",
    "\\codex.exe",
    "\\\\.\\pipe\\codex",
    "/a\0b",
    "/a\ud800",
    "/opt/codex.cmd",
    "/opt/codex.BAT",
    "/opt/codex.ps1",
    "C:\\codex.cmd. ",
    "C:\\codex.exe:stream",
    "file:///opt/codex",
  ];
  for (const path of unix) {
    assertEquals(sent(path), { codexExecutable: path });
    assertEquals(sent(path, "linux"), { codexExecutable: path });
    assertEquals(sent(path, "darwin"), { codexExecutable: path });
  }
  for (const path of windows) {
    assertEquals(sent(path), { codexExecutable: path });
    assertEquals(sent(path, "windows"), { codexExecutable: path });
    assertStrictEquals(sent(path, "linux"), undefined);
  }
  assertStrictEquals(sent("/opt/codex/bin/codex", "windows"), undefined);
  for (const path of none) {
    for (const platform of [undefined, "linux", "darwin", "windows"] as const) {
      assertStrictEquals(sent(path, platform), undefined, `${JSON.stringify(path)} on ${platform}`);
    }
  }
});

test("buildCallMeta: a launcher as an object: its path alone goes along", () => {
  const launcher = { codexExecutable: "/opt/codex", probe: true, more: [1] };
  const built = buildCallMeta({ capabilities, state: {}, launcher });
  assertStrictEquals(JSON.stringify(built[LAUNCHER]), '{"codexExecutable":"/opt/codex"}');
  const odd = [{}, null, { codexExecutable: 7 }, ["/opt/codex"], {
    codexExecutable: ["/opt/codex"],
  }] as unknown[];
  for (const value of odd) {
    const meta = buildCallMeta({ capabilities, state: {}, launcher: value as string });
    assertEquals(Object.keys(meta), [STATE, ALIAS]);
  }
});

test("buildCallMeta: a state that would not be written as it is meant is refused", () => {
  const circle: unknown[] = [];
  circle.push({ circle });
  const states = [NaN, -0, 2 ** 53, { a: undefined }, [() => 1], new Date(0), new Map(), 1n, [, 1], circle, {
    circle,
  }];
  for (const state of states as JsonValue[]) {
    assertStrictEquals(refusalCode(() => buildCallMeta({ capabilities, state })), "STATE_INEXACT");
    assertEquals(buildCallMeta({ capabilities: {}, state }), {});
  }
});

test("buildCallMeta, then captureAuthority: the identical value, and the other entries survive", () => {
  const entries = fc.array(fc.tuple(anyText, exactJson), { maxLength: 6 });
  fc.assert(
    fc.property(exactJson, entries, fc.constantFrom(STATE, ALIAS), (state, others, name) => {
      const meta = objectOf(others);
      const built = buildCallMeta({
        meta,
        capabilities: { experimental: { [name]: {} } },
        state,
        launcher: "/opt/codex",
      });
      const authority = captureAuthority(JSON.parse(JSON.stringify(built)), { transport: "stdio" });
      assertStrictEquals(authority.stateText, JSON.stringify(state));
      assertStrictEquals(canonical(authority.state), canonical(state));
      assertEquals(authority.launcher, { codexExecutable: "/opt/codex" });
      const kept = objectOf(Object.entries(built).filter(([key]) => !HOST.includes(key)));
      assertStrictEquals(JSON.stringify(kept), JSON.stringify(meta));
    }),
    { numRuns: 300 },
  );
});

test("buildCallMeta: twice is once", () => {
  fc.assert(fc.property(exactJson, fc.array(fc.tuple(anyText, exactJson)), (state, others) => {
    const options = { capabilities, state, launcher: "/opt/codex" };
    const once = buildCallMeta({ ...options, meta: objectOf(others) });
    assertStrictEquals(JSON.stringify(buildCallMeta({ ...options, meta: once })), JSON.stringify(once));
  }));
});
