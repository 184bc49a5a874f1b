import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { test } from "node:test";
import { bindAuthority, type BindingOptions, type BindingTurn } from "../../../core/sandbox/binding.ts";

const STATE = { permissionProfile: { type: "managed" } };
const LAUNCHER = { executable: "/opt/codex", probe: true, writableRoots: ["/home/dev/project"] };
const TURN: BindingTurn<unknown> = { environment: "local", state: STATE, launcher: LAUNCHER };
const GOOD: BindingOptions<unknown> = {
  server: { environment: "local", transport: "stdio" },
  capabilities: { experimental: { "codex/sandbox-state": {} } },
  turn: TURN,
};

/** What is sent, or why not, of the state and of the launcher. */
function bound(options: Partial<BindingOptions<unknown>>): readonly unknown[] {
  const { state, launcher } = bindAuthority({ ...GOOD, ...options });
  return [
    state.sent ? state.value : state.reason,
    launcher.sent ? launcher.launcher.codexExecutable : launcher.reason,
  ];
}

test("the table, row by row", () => {
  const http = { environment: "local", transport: "http" } as const;
  const farm = { environment: "farm", transport: "stdio" } as const;
  assertEquals(bound({ turn: null }), ["no-turn", "no-state"]);
  assertEquals(bound({ capabilities: {} }), ["not-accepted", "no-state"]);
  assertEquals(bound({ server: farm }), ["other-environment", "no-state"]);
  assertEquals(bound({ turn: { ...TURN, environment: "farm" } }), ["other-environment", "no-state"]);
  assertEquals(bound({ turn: { environment: "local", launcher: LAUNCHER } }), ["no-state", "no-state"]);
  assertEquals(bound({ server: http }), [STATE, "not-stdio"]);
  assertEquals(bound({ server: farm, turn: { ...TURN, environment: "farm" } }), [
    STATE,
    "remote-environment",
  ]);
  assertEquals(bound({}), [STATE, "/opt/codex"]);
});

test("rows are looked at in their order", () => {
  const farm = { environment: "farm", transport: "http" } as const;
  const none = { environment: "local" };
  assertEquals(bound({ turn: null, capabilities: {}, server: farm })[0], "no-turn");
  assertEquals(bound({ turn: none, capabilities: {}, server: farm })[0], "not-accepted");
  assertEquals(bound({ turn: none, server: farm })[0], "other-environment");
  assertEquals(
    bound({ server: { environment: "farm", transport: "http" }, turn: { ...TURN, environment: "farm" } }),
    [
      STATE,
      "not-stdio",
    ],
  );
});

test("a launcher is what launcherFor says of it", () => {
  const reasons: readonly [BindingTurn<unknown>["launcher"], string][] = [
    [undefined, "no-executable"],
    [{ ...LAUNCHER, executable: undefined }, "no-executable"],
    [{ ...LAUNCHER, executable: "codex" }, "path-unusable"],
    [{ ...LAUNCHER, workspace: "/opt" }, "in-workspace"],
    [{ ...LAUNCHER, writableRoots: ["/opt"] }, "in-writable-root"],
    [{ ...LAUNCHER, probe: false }, "probe-failed"],
  ];
  for (const [launcher, reason] of reasons) {
    assertEquals(bound({ turn: { ...TURN, launcher } }), [STATE, reason]);
  }
});

test("names of environments are compared as they are", () => {
  for (const environment of ["Local", "local ", "", "__proto__"]) {
    assertEquals(bound({ turn: { ...TURN, environment } })[0], "other-environment");
    const server = { environment, transport: "stdio" } as const;
    assertEquals(bound({ server, turn: { ...TURN, environment } }), [STATE, "remote-environment"]);
  }
});

test("a state is passed on untouched, whatever it is", () => {
  const texts = [null, 0, false, "", '{"n":1e400}', Object.freeze({ a: [1] }), () => 1];
  for (const state of texts) {
    const binding = bindAuthority({ ...GOOD, turn: { ...TURN, state } });
    assert(binding.state.sent);
    assertStrictEquals(binding.state.value, state);
  }
  assertEquals(bound({ turn: { ...TURN, state: undefined } }), ["no-state", "no-state"]);
});

test("the deprecated name opts in, too, and what is no capabilities object does not", () => {
  assertEquals(bound({ capabilities: { experimental: { "codex/sandbox-state-meta": {} } } })[0], STATE);
  for (
    const capabilities of [undefined, null, [], "codex/sandbox-state", {
      experimental: { "codex/sandbox-state": true },
    }]
  ) {
    assertEquals(bound({ capabilities })[0], "not-accepted");
  }
});

test("every reason for no launcher has a sentence", () => {
  for (
    const options of [{}, { turn: null }, { server: { environment: "local", transport: "http" } }] as const
  ) {
    const { launcher, environment } = bindAuthority({ ...GOOD, ...options });
    assertEquals(environment, "local");
    if (!launcher.sent) assert(launcher.message.endsWith("."));
  }
});
