import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type { JsonValue } from "../../../core/json/value.ts";
import type { CapturedAuthority } from "../../../core/sandbox/authority.ts";
import { captureAuthority, type CaptureOptions } from "../../../core/sandbox/capture.ts";
import { compareAuthority, requireSameAuthority } from "../../../core/sandbox/compare.ts";
import { captureNamed, CAPTURES_WITH_STATE } from "../../fixtures/captures/mod.ts";
import {
  canonical,
  exactJson,
  leafPaths,
  nestedText,
  pointerOf,
  reordered,
  withLeaf,
} from "../arbitrary_json.ts";
import { polluted } from "../polluted.ts";
import { refusal } from "../refusal.ts";

function of(
  state: unknown,
  launcher?: unknown,
  options: CaptureOptions = { transport: "stdio" },
): CapturedAuthority {
  return captureAuthority({ "codex/sandbox-state": state, "codex/sandbox-launcher": launcher }, options);
}

function ofText(stateText: string): CapturedAuthority {
  return captureAuthority({ "codex/sandbox-state": JSON.parse(stateText) }, { stateText });
}

/** The changes, found the same both ways round. */
function changes(a: CapturedAuthority, b: CapturedAuthority): readonly string[] {
  const there = compareAuthority(a, b);
  const back = compareAuthority(b, a);
  assertStrictEquals(there.same, there.changes.length === 0);
  assertStrictEquals(back.same, there.same);
  assertEquals([...back.changes].sort(), [...there.changes].sort());
  return there.changes;
}

const CODEX = { codexExecutable: "/opt/codex" };

test("compareAuthority: each capture is itself and differs from the others where it does", () => {
  for (const a of CAPTURES_WITH_STATE) {
    for (const b of CAPTURES_WITH_STATE) {
      const [x, y] = [a, b].map(({ meta, transport }) => captureAuthority(meta, { transport }));
      assertStrictEquals(compareAuthority(x!, y!).same, a === b, `${a.name} and ${b.name}`);
    }
  }
  const read = captureAuthority(captureNamed("stdio-read-only").meta, { transport: "stdio" });
  const none = captureAuthority(captureNamed("stdio-danger-full-access").meta, { transport: "stdio" });
  const profile = "/state/permissionProfile";
  assertEquals(changes(read, none), [`${profile}/type`, `${profile}/file_system`, `${profile}/network`]);
});

test("compareAuthority: states as JSON values, order of members free", () => {
  assertEquals(changes(of({ a: 1, b: { c: [1, 2] } }), of({ b: { c: [1, 2] }, a: 1 })), []);
  assertEquals(changes(of({ a: [1, 2] }), of({ a: [2, 1] })), ["/state/a/0", "/state/a/1"]);
  assertEquals(changes(of(null), of({})), ["/state"]);
  assertEquals(changes(of({ "a/b": 1 }), of({ "a/b": 2 })), ["/state/a~1b"]);
  assertEquals(changes(of({ a: 1 }), of({ a: 1, unknown: null })), ["/state/unknown"]);
  const [a, b] = ["/a", "/b"].map((codexLinuxSandboxExe) => of({ codexLinuxSandboxExe }));
  assertEquals(changes(a!, b!), ["/state/codexLinuxSandboxExe"]);
});

test("compareAuthority: texts by their exact value", () => {
  const cases: readonly [string, string, readonly string[]][] = [
    ['{"n":1}', '{ "n" : 1.0 }', []],
    ['{"n":9007199254740993}', '{"n":9007199254740993.0}', []],
    ['{"n":9007199254740993}', '{"n":9007199254740992}', ["/state/n"]],
    ['{"n":1e400}', '{"n":1e401}', ["/state/n"]],
    ['{"a":1,"a":1}', '{"a":1}', ["/state"]],
    ['{"a":1,"a":2}', '{"a":2,"a":2}', ["/state"]],
    ['{"a":1,"a":1}', '{"a":1,"a":1}', []],
  ];
  for (const [a, b, expected] of cases) assertEquals([...changes(ofText(a), ofText(b))], [...expected], a);
});

test("compareAuthority: launchers, their absence and their transport", () => {
  const stdio = of({}, CODEX);
  const cases: readonly [CapturedAuthority, CapturedAuthority, readonly string[]][] = [
    [stdio, of({}, { ...CODEX }), []],
    [of({}, { a: 1, b: 2 }), of({}, { b: 2, a: 1 }), []],
    [stdio, of({}), ["/launcher"]],
    [of({}), of({}), []],
    [stdio, of({}, null), ["/launcher"]],
    [of({}, null), of({}), ["/launcher"]],
    [stdio, of({}, { codexExecutable: "/opt/other" }), ["/launcher/codexExecutable"]],
    [stdio, of({}, { ...CODEX, more: 1 }), ["/launcher/more"]],
    [stdio, of({}, CODEX, { transport: "http" }), ["/launcher"]],
    [stdio, of({}, CODEX, {}), ["/launcher"]],
    [of({}, CODEX, {}), of({}, CODEX, { transport: "http" }), []],
    [of({}), of({}, undefined, { transport: "http" }), []],
    [of({ a: 1 }, CODEX), of({ a: 2 }), ["/state/a", "/launcher"]],
  ];
  for (const [a, b, expected] of cases) assertEquals([...changes(a, b)], [...expected]);
});

test("compareAuthority: a member on Object.prototype hides no change", () => {
  const [a, b] = [of({ evil: 1 }, { evil: 1 }), of({}, {})];
  const got = polluted(Object.prototype, ["evil", 1], () => compareAuthority(a, b).changes);
  assertEquals(got, ["/state/evil", "/launcher/evil"]);
});

test("compareAuthority: an escape in a name is no other name, whatever was parsed before", () => {
  // some versions of V8 take the second name for the first once they have seen that
  JSON.parse('{"kind":"","\\\\":1}');
  const [zero, backslash] = [{ kind: "", "\0": 1 }, { kind: "", "\\": 1 }];
  const other = { "\0": 1, kind: "" };
  assertEquals(changes(of(zero, zero), of(other, other)), []);
  assertEquals(changes(of(zero, CODEX), of(backslash, CODEX)), ["/state/\0", "/state/\\"]);
  assertEquals(changes(of({}, zero), of({}, backslash)), ["/launcher/\0", "/launcher/\\"]);
});

test("compareAuthority: reflexive, symmetric and transitive over any order of members", () => {
  fc.assert(fc.property(exactJson, exactJson, fc.nat(), (value, other, seed) => {
    const versions = [0, 1, 2].map((n) => of(reordered(value, seed + n), reordered(value, seed + n + 3)));
    for (const a of versions) for (const b of versions) assertEquals(changes(a, b), []);
    const strange = of(other, value);
    const verdicts = versions.map((one) => changes(one, strange).length === 0);
    assertEquals(verdicts, Array(3).fill(canonical(value) === canonical(other)));
  }));
});

test("compareAuthority: a single other leaf is found, at its pointer", () => {
  const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.maxSafeInteger(), fc.string());
  fc.assert(
    fc.property(exactJson, leaf, fc.nat(), fc.nat(), (value, changed: JsonValue, pick, seed) => {
      const paths = leafPaths(value);
      const path = paths[pick % paths.length]!;
      const other = reordered(withLeaf(value, path, changed), seed);
      fc.pre(canonical(other) !== canonical(value));
      assertEquals(changes(of(value, CODEX), of(other, CODEX)), [`/state${pointerOf(path)}`]);
      assertEquals(changes(of({}, value), of({}, other)), [`/launcher${pointerOf(path)}`]);
    }),
    { numRuns: 300 },
  );
});

test("compareAuthority: the result for equal ones cannot be spoilt", () => {
  const result = compareAuthority(of({}), of({}));
  assert(Object.isFrozen(result) && Object.isFrozen(result.changes));
});

test("compareAuthority: states nested 10,000 deep", () => {
  const text = nestedText(10_000, "object");
  const a = of(JSON.parse(text));
  assertEquals(changes(a, ofText(` ${text}`)), []);
  assertStrictEquals(changes(a, ofText(text.replace("1", "2"))).length, 1);
});

test("requireSameAuthority: silent for the same, a coded refusal for another", () => {
  requireSameAuthority(of({ a: 1, b: 2 }, CODEX), of({ b: 2, a: 1 }, CODEX));
  const retained = of({ p: { type: "managed", secret: "HIDDEN" } }, CODEX);
  const current = of({ p: { type: "disabled", secret: "SHOWN" } }, { codexExecutable: "/tmp/evil" });
  const error = refusal(() => requireSameAuthority(retained, current));
  assertStrictEquals(error.code, "AUTHORITY_CHANGED");
  assertStringIncludes(error.message, "3 place");
  // the names of a policy's members are the policy's too
  assert(!/HIDDEN|SHOWN|managed|disabled|evil|secret|\/state/.test(error.message), error.message);
});
