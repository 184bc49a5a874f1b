import { assert, assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { CallAuthority } from "../../../../../adapters/mcp/host/call/authority.ts";
import {
  type AuthorityNow,
  changedAuthority,
  requireSame,
  requireSameOwner,
} from "../../../../../adapters/mcp/host/call/guard.ts";
import { captureTurn, type TurnSandbox } from "../../../../../adapters/mcp/host/sandbox/turn_sandbox.ts";
import { SandboxError } from "../../../../../core/errors.ts";

const TURN: TurnSandbox = {
  stateText: '{"a":1,"b":[2]}',
  launcher: "/codex",
  writableRoots: ["/w"],
  workspace: "/w",
};
const account = { user: "u", workspace: "w" };

function issued(turn: TurnSandbox | null = TURN, generation: string | null = "g1"): CallAuthority {
  return new CallAuthority({
    thread: "T",
    server: "s",
    tool: "t",
    turn: turn === null ? null : captureTurn(turn),
    account,
    generation,
  });
}

function now(changes: Partial<AuthorityNow> = {}, turn: TurnSandbox | null = TURN): AuthorityNow {
  return {
    turn: turn === null ? null : captureTurn(turn),
    account: { ...account },
    generation: "g1",
    sameServer: true,
    ...changes,
  };
}

test("the same in other words is the same", () => {
  assertEquals(changedAuthority(issued(), now()), null);
  assertEquals(changedAuthority(issued(), now({}, { ...TURN, stateText: '{ "b": [2.0], "a": 1 }' })), null);
  assertEquals(changedAuthority(issued(null), now({}, null)), null);
});

test("each part of the turn counts, and a turn where there was none, or none where there was one", () => {
  const changes: readonly Partial<TurnSandbox>[] = [
    { environment: "farm" },
    { stateText: '{"a":1,"b":[3]}' },
    { stateText: undefined },
    { launcher: "/other" },
    { writableRoots: [] },
    { workspace: "/x" },
  ];
  for (const change of changes) {
    assertEquals(changedAuthority(issued(), now({}, { ...TURN, ...change })), "turn");
  }
  assertEquals(changedAuthority(issued(), now({}, null)), "turn");
  assertEquals(changedAuthority(issued(null), now()), "turn");
  assertEquals(changedAuthority(issued({ stateText: "null" }), now({}, {})), "turn");
});

test("account, sign-in and server count; a supplied identity is the same only as the same object", () => {
  const identity = { tokens: () => Promise.resolve(null), rotated: () => Promise.resolve() };
  const cases: readonly (readonly [Partial<AuthorityNow>, string])[] = [
    [{ sameServer: false }, "server"],
    [{ account: null }, "account"],
    [{ account: { ...account, user: "v" } }, "account"],
    [{ account: { ...account, identity } }, "account"],
    [{ generation: "g2" }, "sign-in"],
    [{ generation: null }, "sign-in"],
  ];
  for (const [change, what] of cases) assertEquals(changedAuthority(issued(), now(change)), what);
});

test("the sign-in that it was sent with counts, once it was sent", () => {
  const authority = issued(TURN, null);
  assertEquals(changedAuthority(authority, now({ generation: "any" })), null);
  CallAuthority.markSent(authority, {
    connection: 1,
    transport: "http",
    protocol: "p",
    generation: "g2",
    stateText: null,
    noState: null,
    launcher: null,
    noLauncher: null,
  });
  assertEquals(changedAuthority(authority, now({ generation: "g2" })), null);
  assertEquals(changedAuthority(authority, now()), "sign-in");
});

test("a refusal says what changed and no value of it; before a call is sent the turn may be another", () => {
  const changed = now({}, { ...TURN, stateText: '{"secret":1}' });
  const error = assertThrows(() => requireSame(issued(), changed), SandboxError);
  assert(error.code === "AUTHORITY_CHANGED" && error.message.includes("the turn of its thread has changed"));
  assert(!error.message.includes("secret"));
  requireSameOwner(issued(), changed);
  assertThrows(() => requireSameOwner(issued(), now({ account: null })), SandboxError, "the account");
});
