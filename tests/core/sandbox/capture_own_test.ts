import { test } from "node:test";
import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { SandboxError } from "../../../core/errors.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { exactJson, objectOf } from "../arbitrary_json.ts";
import { polluted } from "../polluted.ts";
import { refusalCode } from "../refusal.ts";

const STATE = "codex/sandbox-state";
const ALIAS = "codex/sandbox-state-meta";
const LAUNCHER = "codex/sandbox-launcher";

const evil = (): unknown => ({ permissionProfile: { type: "disabled" } });

/** The outcome of a capture as text: its state, or the code of its refusal. */
function outcome(body: () => { readonly stateText: string }): string {
  try {
    return body().stateText;
  } catch (error) {
    return error instanceof SandboxError ? error.code : `not a SandboxError: ${String(error)}`;
  }
}

test("captureAuthority: inherited keys are no keys", () => {
  const inherited: Record<string, unknown> = Object.create({
    [STATE]: evil(),
    [ALIAS]: evil(),
    [LAUNCHER]: { codexExecutable: "/tmp/evil" },
  });
  assertStrictEquals(refusalCode(() => captureAuthority(inherited, { transport: "http" })), "STATE_MISSING");
  class Meta {
    get [STATE](): unknown {
      return evil();
    }
  }
  assertStrictEquals(refusalCode(() => captureAuthority(new Meta())), "STATE_MISSING");
  assertStrictEquals(
    refusalCode(() => captureAuthority(JSON.parse(`{"__proto__":{"${STATE}":{}}}`))),
    "STATE_MISSING",
  );
  const ownState = Object.assign(Object.create({ [ALIAS]: evil(), [LAUNCHER]: evil() }), {
    [STATE]: { a: 1 },
  });
  assertStrictEquals(captureAuthority(ownState).stateText, '{"a":1}');
  assertStrictEquals(captureAuthority(ownState).launcher, undefined);
});

test("captureAuthority: keys on Object.prototype are no keys", () => {
  for (const key of [STATE, ALIAS, LAUNCHER]) {
    for (const meta of [{}, { progressToken: 1 }, []]) {
      const got = polluted(Object.prototype, [key, evil()], () => outcome(() => captureAuthority(meta)));
      assertStrictEquals(got, "STATE_MISSING");
    }
  }
  const alias = polluted(
    Object.prototype,
    [ALIAS, evil()],
    () => outcome(() => captureAuthority({ [STATE]: { a: 1 } })),
  );
  assertStrictEquals(alias, '{"a":1}');
  const launcher = polluted(
    Object.prototype,
    [LAUNCHER, evil()],
    () => captureAuthority({ [STATE]: { a: 1 } }).launcher,
  );
  assertStrictEquals(launcher, undefined);
});

test("captureAuthority: a toJSON on a prototype changes neither state nor launcher", () => {
  for (const prototype of [Object.prototype, Array.prototype]) {
    for (const text of ['{"a":[1,{"b":null}]}', "[[]]", '{"toJSON":1}', "[{}]"]) {
      const got = polluted(prototype, ["toJSON", evil], () => {
        const authority = captureAuthority({
          [STATE]: JSON.parse(text),
          [LAUNCHER]: { codexExecutable: "/a" },
        });
        return [authority.stateText, (authority.launcher as Record<string, unknown>)["codexExecutable"]];
      });
      assertEquals(got, [text, "/a"]);
      const source = polluted(
        prototype,
        ["toJSON", evil],
        () => outcome(() => captureAuthority({ [STATE]: JSON.parse(text) }, { stateText: ` ${text}` })),
      );
      assertStrictEquals(source, ` ${text}`);
    }
  }
});

test("captureAuthority: enumerable members on Object.prototype change nothing", () => {
  for (const value of ["x", 1, null, evil(), NaN, 1n, evil]) {
    const got = polluted(Object.prototype, ["extra", value], () => [
      outcome(() => captureAuthority({ [STATE]: { a: [{}] }, [ALIAS]: { a: [{}] } })),
      outcome(() => captureAuthority({ [STATE]: { a: 1 }, [ALIAS]: { a: 1, extra: "x" } })),
      outcome(() => captureAuthority({ [STATE]: { extra: "x" }, [ALIAS]: {} })),
      outcome(() => captureAuthority({ [STATE]: { extra: "x" } }, { stateText: "{}" })),
    ]);
    assertEquals(got, ['{"a":[{}]}', "STATE_CONFLICT", "STATE_CONFLICT", "STATE_CONFLICT"]);
  }
});

test("captureAuthority: a toJSON that a state has or inherits does not write another state", () => {
  const states: readonly unknown[] = [
    Object.create(Object.assign(Object.create(null), { toJSON: evil })),
    { nested: Object.create({ toJSON: evil }) },
    { toJSON: evil },
  ];
  for (const state of states) {
    assertEquals(/disabled/.test(outcome(() => captureAuthority({ [STATE]: state }))), false);
  }
});

test("captureAuthority: every key of _meta is read once", () => {
  const reads: string[] = [];
  const meta = {};
  for (const key of [STATE, ALIAS, LAUNCHER, "other"]) {
    Object.defineProperty(meta, key, {
      enumerable: true,
      get: () => {
        reads.push(key);
        // a second look would see something else
        return reads.filter((one) => one === key).length === 1 ? { a: 1 } : evil();
      },
    });
  }
  const authority = captureAuthority(meta);
  assertStrictEquals(authority.stateText, '{"a":1}');
  assertEquals(authority.launcher, { a: 1 });
  assertEquals(reads.sort(), [LAUNCHER, STATE, ALIAS]);
});

test("captureAuthority: getters and proxies that throw are refused like everything else", () => {
  const boom = (): never => {
    throw new Error("boom");
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const traps = ["get", "has", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor"];
  const hostile: readonly [string, unknown][] = [
    ["a getter", Object.defineProperty({}, "a", { enumerable: true, get: boom })],
    ["a revoked proxy", proxy],
    ...traps.map((trap): [string, unknown] => [`a proxy: ${trap}`, new Proxy({ a: 1 }, { [trap]: boom })]),
  ];
  const escaped: string[] = [];
  for (const [name, value] of hostile) {
    const places: readonly [string, unknown][] = [
      ["the state", { [STATE]: value }],
      ["inside the state", { [STATE]: { x: [value] } }],
      ["the alias", { [STATE]: { a: 1 }, [ALIAS]: value }],
      ["inside both", { [STATE]: { x: value }, [ALIAS]: { x: value } }],
      ["the launcher", { [STATE]: {}, [LAUNCHER]: value }],
    ];
    for (const [place, meta] of places) {
      for (const options of [{}, { stateText: '{"a":1}' }]) {
        const got = outcome(() => captureAuthority(meta, options));
        if (got.startsWith("not a")) escaped.push(`${name} as ${place}`);
      }
    }
  }
  assertEquals([...new Set(escaped)], []);
});

test("captureAuthority: a _meta that throws when it is read is refused like everything else", () => {
  const boom = (): never => {
    throw new Error("boom");
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const metas = [
    proxy,
    Object.defineProperty({}, STATE, { enumerable: true, get: boom }),
    Object.defineProperty({ [STATE]: {} }, LAUNCHER, { enumerable: true, get: boom }),
    new Proxy({ [STATE]: {} }, { get: boom }),
    new Proxy({ [STATE]: {} }, { getOwnPropertyDescriptor: boom }),
  ];
  const escaped = metas.map((meta) => outcome(() => captureAuthority(meta))).filter((got) =>
    got.startsWith("not a")
  );
  assertEquals(escaped, []);
});

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
});

/** Any value, maybe behind a getter or a transparent proxy. */
const wrapped: fc.Arbitrary<unknown> = fc.tuple(anything, fc.constantFrom("plain", "getter", "proxy")).map(
  ([value, kind]) => {
    if (kind === "getter") return Object.defineProperty({}, "a", { enumerable: true, get: () => value });
    return kind === "proxy" && typeof value === "object" && value !== null ? new Proxy(value, {}) : value;
  },
);

test("captureAuthority: over any JavaScript value it captures or throws a SandboxError", () => {
  const text = fc.option(fc.oneof(fc.json(), fc.string()), { nil: undefined });
  const transport = fc.constantFrom(undefined, "stdio" as const, "http" as const);
  fc.assert(
    fc.property(
      wrapped,
      wrapped,
      wrapped,
      fc.nat(15),
      text,
      text,
      transport,
      (a, b, c, keys, stateText, aliasText, t) => {
        const meta = {
          ...(keys & 1 ? { [STATE]: a } : {}),
          ...(keys & 2 ? { [ALIAS]: keys & 8 ? a : b } : {}),
          ...(keys & 4 ? { [LAUNCHER]: c } : {}),
        };
        for (const candidate of [meta, a]) {
          const got = outcome(() => captureAuthority(candidate, { transport: t, stateText, aliasText }));
          assertEquals(got.startsWith("not a"), false, got);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test("captureAuthority: unrelated entries never matter", () => {
  fc.assert(fc.property(exactJson, fc.array(fc.tuple(fc.string(), exactJson)), (state, others) => {
    const meta = objectOf([...others.filter(([key]) => !key.startsWith("codex/")), [STATE, state]]);
    assertStrictEquals(captureAuthority(meta).stateText, JSON.stringify(state));
  }));
});
