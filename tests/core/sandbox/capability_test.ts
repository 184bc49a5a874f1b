import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { acceptsSandboxState, advertiseSandboxState } from "../../../core/sandbox/capability.ts";
import { polluted } from "../polluted.ts";

test("advertiseSandboxState: the fragment, a new one each time", () => {
  assertStrictEquals(JSON.stringify(advertiseSandboxState()), '{"experimental":{"codex/sandbox-state":{}}}');
  const first = advertiseSandboxState();
  Object.assign(first.experimental, { other: {} });
  assertEquals(Object.keys(advertiseSandboxState().experimental), ["codex/sandbox-state"]);
});

test("acceptsSandboxState: either name opts in, alone or with others, whatever it holds", () => {
  const accepted: readonly unknown[] = [
    advertiseSandboxState(),
    { experimental: { "codex/sandbox-state": {} } },
    { experimental: { "codex/sandbox-state-meta": {} } },
    { experimental: { "codex/sandbox-state": {}, "codex/sandbox-state-meta": {} } },
    { experimental: { "codex/sandbox-state": { version: 2 } }, tools: {} },
    { experimental: { "codex/sandbox-state": null, "codex/sandbox-state-meta": {} } },
    JSON.parse('{"experimental":{"other":1,"codex/sandbox-state":{}}}'),
  ];
  for (const capabilities of accepted) {
    assert(acceptsSandboxState(capabilities), JSON.stringify(capabilities));
  }
});

test("acceptsSandboxState: nothing else does", () => {
  const refused: readonly unknown[] = [
    undefined,
    null,
    true,
    "codex/sandbox-state",
    ["codex/sandbox-state"],
    {},
    { tools: {} },
    { experimental: {} },
    { experimental: null },
    { experimental: ["codex/sandbox-state"] },
    { experimental: "codex/sandbox-state" },
    { experimental: { "codex/sandbox-state": undefined } },
    { experimental: { "codex/sandbox-state": null } },
    { experimental: { "codex/sandbox-state": false } },
    { experimental: { "codex/sandbox-launcher": {} } },
    { experimental: { "codex/sandbox-State": {} } },
    { experimental: { "codex/sandbox-state/update": {} } },
    { "codex/sandbox-state": {} },
    { extensions: { "codex/sandbox-state": {} } },
    Object.create(advertiseSandboxState()),
    { experimental: Object.create(advertiseSandboxState().experimental) },
  ];
  for (const capabilities of refused) {
    assert(!acceptsSandboxState(capabilities), JSON.stringify(capabilities));
  }
});

test("acceptsSandboxState: nothing on Object.prototype opts in", () => {
  const got = [
    polluted(
      Object.prototype,
      ["experimental", { "codex/sandbox-state": {} }],
      () => acceptsSandboxState({}),
    ),
    polluted(Object.prototype, ["codex/sandbox-state", {}], () => acceptsSandboxState({ experimental: {} })),
  ];
  assertEquals(got, [false, false]);
});

test("acceptsSandboxState: takes any JavaScript value", () => {
  fc.assert(fc.property(fc.anything(), (value) => assertStrictEquals(acceptsSandboxState(value), false)));
});
