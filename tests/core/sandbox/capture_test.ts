import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { CAPTURES, CAPTURES_WITH_STATE } from "../../fixtures/captures/mod.ts";
import { canonical } from "../arbitrary_json.ts";
import { refusal, refusalCode } from "../refusal.ts";

const STATE = "codex/sandbox-state";
const ALIAS = "codex/sandbox-state-meta";
const LAUNCHER = "codex/sandbox-launcher";

/** What serialisation would lose, whatever its place. */
const INEXACT: readonly [string, unknown][] = [
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["negative zero", -0],
  ["an integer beyond the safe range", 2 ** 53],
  ["a rounded 64-bit integer", JSON.parse("-9223372036854775808")],
  ["a function", () => 1],
  ["a symbol", Symbol("x")],
  ["a bigint", 1n],
  ["a Date", new Date(0)],
  ["a Map", new Map()],
  ["a Set", new Set()],
  ["a boxed string", Object("x")],
  ["an array with a hole", [1, , 2]],
  ["an object with an undefined member", { a: undefined }],
  ["an array with an undefined element", [undefined]],
];

for (const { name, meta, transport, optedIn } of CAPTURES) {
  test(`captureAuthority: the capture ${name}`, () => {
    if (!optedIn) {
      assertStrictEquals(refusalCode(() => captureAuthority(meta, { transport })), "STATE_MISSING");
      return;
    }
    const authority = captureAuthority(meta, { transport });
    assertStrictEquals(authority.stateText, JSON.stringify(meta[STATE]));
    assertEquals(authority.launcher, meta[LAUNCHER]);
    assertStrictEquals(authority.launcher !== undefined, transport === "stdio");
    assertStrictEquals(authority.transport, transport);
  });
}

test("captureAuthority: no _meta, or one without the keys, is told apart and runs nothing", () => {
  for (const meta of [undefined, null, [], "text", 7, true, () => 1, [{ [STATE]: {} }]]) {
    const error = refusal(() => captureAuthority(meta));
    assertStrictEquals(error.code, "STATE_MISSING");
    assertStringIncludes(error.message, "no _meta");
  }
  for (const meta of [{}, { progressToken: 1 }, { [STATE]: undefined }, { "codex/sandbox-State": {} }]) {
    const error = refusal(() => captureAuthority(meta));
    assertStrictEquals(error.code, "STATE_MISSING");
    assertStringIncludes(error.message, "neither codex/sandbox-state nor codex/sandbox-state-meta");
  }
});

test("captureAuthority: neither a source text nor a launcher stands in for a state", () => {
  const launcher = { [LAUNCHER]: { codexExecutable: "/opt/codex/bin/codex" } };
  const texts = { stateText: "{}", aliasText: "{}", transport: "stdio" } as const;
  for (const meta of [undefined, {}, launcher]) {
    assertStrictEquals(refusalCode(() => captureAuthority(meta, texts)), "STATE_MISSING");
  }
  const argumentsOfTool = { arguments: { [STATE]: {} }, _meta: { [STATE]: {} }, params: { [STATE]: {} } };
  assertStrictEquals(refusalCode(() => captureAuthority(argumentsOfTool)), "STATE_MISSING");
});

test("captureAuthority: a launcher without a state is refused as foreign off stdio, as missing on it", () => {
  for (const launcher of [{ codexExecutable: "/opt/codex" }, null, 7, "x"]) {
    const meta = { [LAUNCHER]: launcher };
    assertStrictEquals(refusalCode(() => captureAuthority(meta)), "LAUNCHER_INVALID");
    assertStrictEquals(refusalCode(() => captureAuthority(meta, { transport: "http" })), "LAUNCHER_INVALID");
    assertStrictEquals(refusalCode(() => captureAuthority(meta, { transport: "stdio" })), "STATE_MISSING");
  }
});

test("captureAuthority: any JSON value is a state", () => {
  for (const text of ["null", "false", "0", '""', "[]", "{}", "1.5", '"x"', "[null]"]) {
    for (const key of [STATE, ALIAS]) {
      assertStrictEquals(captureAuthority({ [key]: JSON.parse(text) }).stateText, text);
    }
    const both = { [STATE]: JSON.parse(text), [ALIAS]: JSON.parse(text) };
    assertStrictEquals(captureAuthority(both).stateText, text);
  }
});

test("captureAuthority: either key alone, and with both the first one's order is forwarded", () => {
  const state = { b: 1, a: { d: 1, c: 2 } };
  const alias = { a: { c: 2, d: 1 }, b: 1 };
  assertStrictEquals(captureAuthority({ [STATE]: state }).stateText, '{"b":1,"a":{"d":1,"c":2}}');
  assertStrictEquals(captureAuthority({ [ALIAS]: alias }).stateText, '{"a":{"c":2,"d":1},"b":1}');
  assertStrictEquals(
    captureAuthority({ [ALIAS]: alias, [STATE]: state }).stateText,
    '{"b":1,"a":{"d":1,"c":2}}',
  );
  assertStrictEquals(
    captureAuthority({ [STATE]: undefined, [ALIAS]: alias }).stateText,
    JSON.stringify(alias),
  );
  assertStrictEquals(
    captureAuthority({ [STATE]: state, [ALIAS]: undefined }).stateText,
    JSON.stringify(state),
  );
});

test("captureAuthority: two copies that differ are a conflict, whichever is wider", () => {
  const pairs: readonly [unknown, unknown][] = [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: null }],
    [{ a: 1, b: null }, { a: 1 }],
    [[1, 2], [2, 1]],
    [[], {}],
    [null, {}],
    [{}, null],
    [0, false],
    ["1", 1],
    [{ x: { type: "managed" } }, { x: { type: "disabled" } }],
  ];
  for (const [state, alias] of pairs) {
    const error = refusal(() => captureAuthority({ [STATE]: state, [ALIAS]: alias }, { transport: "stdio" }));
    assertStrictEquals(error.code, "STATE_CONFLICT", String(JSON.stringify([state, alias])));
    assertStringIncludes(error.message, "differ");
  }
});

test("captureAuthority: no message repeats a state", () => {
  const secret = { SECRET: "hidden-value" };
  const refusals = [
    () => captureAuthority({ [STATE]: secret, [ALIAS]: {} }),
    () => captureAuthority({ [STATE]: { ...secret, n: NaN } }),
    () => captureAuthority({ [STATE]: secret }, { stateText: '{"SECRET":"sesame"}' }),
    () => captureAuthority({ [STATE]: secret }, { stateText: "hidden-value" }),
    () => captureAuthority({ SECRET: "hidden-value" }),
  ];
  for (const one of refusals) {
    const error = refusal(one);
    assert(
      !/SECRET|hidden|sesame/.test(`${error.message} ${String(error.cause)} ${JSON.stringify(error)}`),
      error.message,
    );
  }
});

for (const [name, value] of INEXACT) {
  test(`captureAuthority: a state with ${name} is inexact, not rounded`, () => {
    for (const state of [value, [value], { a: "x", b: { c: [1, value] } }]) {
      assertStrictEquals(refusalCode(() => captureAuthority({ [STATE]: state })), "STATE_INEXACT");
      assertStrictEquals(refusalCode(() => captureAuthority({ [ALIAS]: state })), "STATE_INEXACT");
    }
  });
}

test("captureAuthority: a state that contains itself is inexact", () => {
  const circle: Record<string, unknown> = { a: { b: [] } };
  (circle["a"] as Record<string, unknown[]>)["b"]!.push(circle);
  assertStrictEquals(refusalCode(() => captureAuthority({ [STATE]: circle })), "STATE_INEXACT");
  assertStrictEquals(
    refusalCode(() => captureAuthority({ [STATE]: circle, [ALIAS]: circle })),
    "STATE_INEXACT",
  );
});

test("captureAuthority: a second copy that is inexact is refused as that or as the conflict it is", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  for (
    const value of [NaN, Infinity, [2 ** 53], { a: undefined }, { a: 1, b: undefined }, () => 1, circle, [
      circle,
    ]]
  ) {
    for (const meta of [{ [STATE]: { a: 1 }, [ALIAS]: value }, { [STATE]: value, [ALIAS]: { a: 1 } }]) {
      const code = refusalCode(() => captureAuthority(meta));
      assert(code === "STATE_CONFLICT" || code === "STATE_INEXACT", code);
    }
  }
});

test("captureAuthority: what happens to _meta and the state afterwards has no effect", () => {
  for (const { meta } of CAPTURES_WITH_STATE) {
    const mine = structuredClone(meta) as Record<string, Record<string, unknown>>;
    const authority = captureAuthority(mine, { transport: "stdio" });
    mine[STATE]!["permissionProfile"] = { type: "disabled" };
    if (mine[LAUNCHER]) mine[LAUNCHER]["codexExecutable"] = "/tmp/evil";
    delete mine[ALIAS];
    assertStrictEquals(authority.stateText, JSON.stringify(meta[STATE]));
    assertStrictEquals(canonical(authority.state), canonical(meta[STATE]!));
    assertEquals(authority.launcher, meta[LAUNCHER]);
  }
});

test("captureAuthority: the launcher is a copy as it came; what cannot be copied is kept as null", () => {
  const take = (launcher: unknown): unknown =>
    captureAuthority({ [STATE]: {}, [LAUNCHER]: launcher }).launcher;
  assertStrictEquals(take(undefined), undefined);
  for (const json of ["null", "7", '"x"', "[]", '{"codexExecutable":"/a","future":[1]}', '{"__proto__":1}']) {
    assertStrictEquals(JSON.stringify(take(JSON.parse(json))), json);
  }
  const circle: unknown[] = [];
  circle.push(circle);
  for (const launcher of [() => 1, Symbol("x"), 1n, circle, { codexExecutable: 1n }]) {
    assertStrictEquals(take(launcher), null);
  }
  assert(Object.isFrozen(take({ a: { b: 1 } })));
  assert(Object.isFrozen((take({ a: { b: 1 } }) as { a: object }).a));
});
