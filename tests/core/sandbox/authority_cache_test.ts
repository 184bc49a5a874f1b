import { test } from "node:test";
import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { AuthorityCache } from "../../../core/sandbox/authority_cache.ts";
import type { CapturedAuthority } from "../../../core/sandbox/authority.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { compareAuthority } from "../../../core/sandbox/compare.ts";

function of(state: unknown, launcher?: string, transport: "stdio" | "http" = "stdio"): CapturedAuthority {
  const key = launcher === undefined ? {} : { "codex/sandbox-launcher": { codexExecutable: launcher } };
  return captureAuthority({ "codex/sandbox-state": state, ...key }, { transport });
}

const A = of({ a: 1 }, "/codex");

function cacheOf(maxEntries: number, maxBytes: number = 1_000_000): AuthorityCache<string> {
  return new AuthorityCache<string>({ maxEntries, maxBytes });
}

test("AuthorityCache: a result is found under its key and authority, however the state is written", () => {
  const cache = cacheOf(10);
  const scope = { authority: of({ a: 1, b: 2 }, "/codex") };
  assertEquals(cache.set(scope, "key", { value: "result", bytes: 6 }), true);
  assertEquals(cache.get(scope, "key"), "result");
  assertEquals(cache.get({ authority: of({ b: 2, a: 1 }, "/codex") }, "key"), "result");
  const exact = captureAuthority(
    { "codex/sandbox-state": { a: 1, b: 2 }, "codex/sandbox-launcher": { codexExecutable: "/codex" } },
    { transport: "stdio", stateText: '{"a":1.0,"b":20e-1}' },
  );
  assertEquals(cache.get({ authority: exact, modifiers: [] }, "key"), "result");
  assertEquals(cache.get(scope, "other"), undefined);
  assertEquals(cache.counts, { hits: 3, misses: 1, refused: 0, entries: 1, bytes: 6 + 2 * (13 + 28) });
});

test("AuthorityCache: another state, launcher, transport or modifier gets nothing, and is counted", () => {
  const cache = cacheOf(10);
  const modifiers = ["--sandbox-state-disable-network"];
  cache.set({ authority: A, modifiers }, "key", { value: "secret", bytes: 6 });
  const others = [
    { authority: of({ a: 2 }, "/codex"), modifiers },
    { authority: of({ a: 1, b: null }, "/codex"), modifiers },
    { authority: of({ a: 1 }, "/other"), modifiers },
    { authority: of({ a: 1 }), modifiers },
    { authority: of({ a: 1 }, "/codex", "http"), modifiers },
    { authority: A },
    { authority: A, modifiers: [] },
    { authority: A, modifiers: [...modifiers, "--x"] },
    { authority: A, modifiers: ["--y"] },
  ];
  for (const other of others) assertEquals(cache.get(other, "key"), undefined);
  assertEquals(cache.get(others[0]!, "absent"), undefined);
  const { hits, misses, refused, entries } = cache.counts;
  assertEquals([hits, misses, refused, entries], [0, 1, others.length, 1]);
  assertEquals(cache.get({ authority: A, modifiers }, "key"), "secret");
});

test("AuthorityCache: each authority has its own result under a key", () => {
  const cache = cacheOf(10);
  const B = of({ b: 1 }, "/codex");
  cache.set({ authority: A }, "key", { value: "a", bytes: 1 });
  cache.set({ authority: B }, "key", { value: "b", bytes: 1 });
  assertEquals([cache.get({ authority: A }, "key"), cache.get({ authority: B }, "key")], ["a", "b"]);
  assertEquals(cache.delete({ authority: A }, "key"), true);
  assertEquals(cache.delete({ authority: A }, "key"), false);
  assertEquals([cache.get({ authority: A }, "key"), cache.get({ authority: B }, "key")], [undefined, "b"]);
  cache.clear();
  assertEquals([cache.counts.entries, cache.counts.bytes], [0, 0]);
  assertEquals(cache.get({ authority: B }, "key"), undefined);
});

test("AuthorityCache: what was not used for longest goes first", () => {
  const cache = cacheOf(2);
  const scope = { authority: A };
  cache.set(scope, "one", { value: "1", bytes: 1 });
  cache.set(scope, "two", { value: "2", bytes: 1 });
  cache.get(scope, "one");
  cache.set(scope, "three", { value: "3", bytes: 1 });
  assertEquals(["one", "two", "three"].map((key) => cache.get(scope, key)), ["1", undefined, "3"]);
  cache.get({ authority: of({ z: 1 }) }, "one"); // refused: no use
  cache.set(scope, "four", { value: "4", bytes: 1 });
  assertEquals(["one", "three", "four"].map((key) => cache.get(scope, key)), [undefined, "3", "4"]);
});

test("AuthorityCache: bytes are bounded, replaced results and texts of authorities included", () => {
  const authority = of("x", "/c");
  const texts = 2 * (3 + 24);
  const cache = cacheOf(100, texts + 10);
  const scope = { authority };
  cache.set(scope, "a", { value: "a", bytes: 6 });
  assertEquals(cache.set(scope, "a", { value: "b", bytes: 4 }), true);
  assertEquals(cache.counts.bytes, texts + 4);
  assertEquals(cache.set(scope, "b", { value: "c", bytes: 6 }), true);
  assertEquals([cache.counts.entries, cache.counts.bytes], [2, texts + 10]);
  cache.set(scope, "c", { value: "d", bytes: 1 });
  assertEquals([cache.get(scope, "a"), cache.get(scope, "b"), cache.get(scope, "c")], [undefined, "c", "d"]);
  assertEquals(cache.set(scope, "b", { value: "large", bytes: 11 }), false);
  assertEquals([cache.get(scope, "b"), cache.get(scope, "c"), cache.counts.bytes], [
    undefined,
    "d",
    texts + 1,
  ]);
  cache.delete(scope, "c");
  assertEquals(cache.counts.bytes, 0);
});

test("AuthorityCache: sizes and limits are whole numbers", () => {
  for (const wrong of [0, -1, 1.5, NaN, Infinity]) {
    assertThrows(() => new AuthorityCache({ maxEntries: wrong, maxBytes: 1 }), RangeError);
    assertThrows(() => new AuthorityCache({ maxEntries: 1, maxBytes: wrong }), RangeError);
  }
  const cache = cacheOf(1);
  for (const bytes of [-1, 0.5, NaN, Infinity]) {
    assertThrows(() => cache.set({ authority: A }, "key", { value: "", bytes }), RangeError);
  }
  assertEquals(cache.set({ authority: A }, "key", { value: "", bytes: 0 }), true);
  assertStrictEquals(cache.get({ authority: A }, "key"), "");
});

test("AuthorityCache: modifiers and results are kept as they were", () => {
  const modifiers = ["--a"];
  const kept = { value: "v", bytes: 1 };
  const cache = cacheOf(1);
  cache.set({ authority: A, modifiers }, "key", kept);
  modifiers.push("--b");
  kept.value = "changed";
  assertEquals(cache.get({ authority: A, modifiers }, "key"), undefined);
  assertEquals(cache.get({ authority: A, modifiers: ["--a"] }, "key"), "v");
});

test("AuthorityCache: whatever is asked, a result comes under its own authority, and the bounds hold", () => {
  const authorities = [
    of({ n: 1 }),
    of({ n: 1 }, "/a"),
    of({ n: 2 }, "/a"),
    of({ m: 0, n: 1 }),
    of({ n: 1, m: 0 }),
  ];
  const step = fc.record({
    at: fc.nat(authorities.length - 1),
    key: fc.constantFrom("a", "b", "c"),
    bytes: fc.nat(60),
    write: fc.boolean(),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const cache = new AuthorityCache<{ by: CapturedAuthority; key: string }>({
      maxEntries: 4,
      maxBytes: 150,
    });
    let asked = 0;
    for (const { at, key, bytes, write } of steps) {
      const authority = authorities[at]!;
      if (write) cache.set({ authority }, key, { value: { by: authority, key }, bytes });
      else {
        asked++;
        const found = cache.get({ authority }, key);
        if (found !== undefined) {
          assertEquals([compareAuthority(found.by, authority).same, found.key], [true, key]);
        }
      }
      const counts = cache.counts;
      assertEquals([counts.entries <= 4, counts.bytes <= 150, counts.bytes >= 0], [true, true, true]);
      assertEquals(counts.hits + counts.misses + counts.refused, asked);
    }
  }));
});
