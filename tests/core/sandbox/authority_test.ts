import { test } from "node:test";
import { inspect } from "node:util";
import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { JsonError } from "../../../core/errors.ts";
import { CapturedAuthority } from "../../../core/sandbox/authority.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { planSandboxedCommand } from "../../../core/sandbox/command.ts";
import { nestedText } from "../arbitrary_json.ts";

const META = {
  "codex/sandbox-state": { permissionProfile: { type: "managed", HIDDEN: ["secret"] } },
  "codex/sandbox-launcher": { codexExecutable: "/opt/HIDDEN/codex" },
};
const authority = captureAuthority(META, { transport: "stdio" });

test("CapturedAuthority: what it holds", () => {
  assertStrictEquals(authority.stateText, JSON.stringify(META["codex/sandbox-state"]));
  assertEquals(authority.state, META["codex/sandbox-state"]);
  assertEquals(authority.launcher, META["codex/sandbox-launcher"]);
  assertStrictEquals(authority.transport, "stdio");
  const bare = captureAuthority({ "codex/sandbox-state": null });
  assertStrictEquals(bare.state, null);
  assertStrictEquals(bare.launcher, undefined);
  assertStrictEquals(bare.transport, undefined);
  assertStrictEquals(bare.comparableState, null);
});

test("CapturedAuthority: printing and serialising show nothing of it, asked before or not", () => {
  const show = (): string[] => [
    inspect(authority),
    inspect(authority, { depth: Infinity, getters: true }),
    inspect({ nested: [authority] }, { depth: Infinity, showHidden: true }),
    JSON.stringify(authority),
    JSON.stringify({ nested: authority }),
    String(authority),
    `${Object.keys(authority)} ${Object.getOwnPropertyNames(authority)}`,
    JSON.stringify(Object.entries(authority)),
    JSON.stringify({ ...authority }),
    JSON.stringify(structuredClone(authority)),
  ];
  const before = show();
  assert(authority.state !== undefined && authority.comparableState !== undefined);
  for (const text of [...before, ...show()]) assert(!/HIDDEN|secret|managed|permission/.test(text), text);
});

test("CapturedAuthority: the state and the launcher are frozen in every part", () => {
  const state = authority.state as unknown as typeof META["codex/sandbox-state"];
  const launcher = authority.launcher as unknown as typeof META["codex/sandbox-launcher"];
  assertThrows(() => state.permissionProfile.type = "disabled", TypeError);
  assertThrows(() => state.permissionProfile.HIDDEN.push("x"), TypeError);
  assertThrows(() => launcher.codexExecutable = "/tmp/evil", TypeError);
  assertStrictEquals(authority.state, authority.state);
  assertStrictEquals(authority.comparableState, authority.comparableState);
  assertStrictEquals(authority.stateText, JSON.stringify(META["codex/sandbox-state"]));
});

test("CapturedAuthority: what it says cannot be replaced", () => {
  const mine = captureAuthority(META, { transport: "stdio" });
  const disabled = '{"permissionProfile":{"type":"disabled"}}';
  const ways: readonly (() => void)[] = [
    () => void Object.assign(mine, { stateText: disabled }),
    () => void Object.assign(mine, { launcher: { codexExecutable: "/tmp/evil" } }),
    () => void Object.defineProperty(mine, "stateText", { value: disabled }),
    () => void Object.defineProperty(mine, "launcher", { value: { codexExecutable: "/tmp/evil" } }),
    () =>
      void Object.setPrototypeOf(mine, { stateText: disabled, launcher: mine.launcher, transport: "stdio" }),
  ];
  for (const way of ways) assertThrows(way, TypeError);
  const { executable, args } = planSandboxedCommand(mine, ["true"]);
  assertStrictEquals(executable, "/opt/HIDDEN/codex");
  assertStrictEquals(args[2], JSON.stringify(META["codex/sandbox-state"]));
});

test("CapturedAuthority: the comparable state is exact, the state is what JavaScript reads", () => {
  const make = (stateText: string): CapturedAuthority =>
    new CapturedAuthority({ stateText, launcherText: undefined, transport: undefined });
  const [a, b] = [make("[9007199254740993]"), make("[9007199254740992]")];
  assertEquals(a.state, b.state);
  assert(JSON.stringify(a.comparableState) !== JSON.stringify(b.comparableState));
  const twice = make('{"a":1,"a":2}');
  assertEquals(twice.state, { a: 2 });
  assertStrictEquals(assertThrows(() => twice.comparableState, JsonError).code, "JSON_DUPLICATE_KEY");
});

test("CapturedAuthority: a state nested 100,000 deep can be looked at", () => {
  const text = nestedText(100_000, "object");
  const deep = captureAuthority({ "codex/sandbox-state": JSON.parse(text) });
  assert(Object.isFrozen(deep.state));
  assert(deep.comparableState !== undefined);
});
