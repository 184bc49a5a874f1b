import { assert, assertEquals } from "@std/assert";
import { inspect } from "node:util";
import { test } from "node:test";
import { CallAuthority } from "../../../../../adapters/mcp/host/call/authority.ts";
import { captureTurn } from "../../../../../adapters/mcp/host/sandbox/turn_sandbox.ts";

function issue(): CallAuthority {
  return new CallAuthority({
    thread: "T",
    server: "s",
    tool: "t",
    turn: captureTurn({ stateText: '{"policy":"hidden"}', launcher: "/hidden/codex" }),
    account: { user: "hidden-user", workspace: "hidden-space" },
    generation: "hidden-generation",
  });
}

const sent = {
  connection: 3,
  transport: "stdio",
  protocol: "2026-07-28",
  generation: "hidden-generation",
  stateText: '{"policy":"hidden"}',
  noState: null,
  launcher: "/hidden/codex",
  noLauncher: null,
} as const;

test("everything can be read, and nothing of it is printed", () => {
  const authority = issue();
  CallAuthority.markSent(authority, sent);
  assertEquals([authority.issued.turn?.stateText, authority.sent?.launcher], [
    '{"policy":"hidden"}',
    "/hidden/codex",
  ]);
  const printed = [
    JSON.stringify({ authority }),
    inspect(authority, { showHidden: true, depth: 9, getters: true }),
    inspect({ deep: [authority] }, { depth: 9 }),
    String(authority),
    `${Object.values(authority)}`,
  ];
  for (const text of printed) assert(!text.includes("hidden"), text);
  assert(printed[0]!.includes('"bytes":19') && printed[0]!.includes('"connection":3'));
  assert(inspect(authority).startsWith("CallAuthority {"));
});

test("why nothing was sent is shown; what was marked first stands", () => {
  const authority = issue();
  assertEquals(authority.sent, null);
  CallAuthority.markSent(authority, {
    ...sent,
    stateText: null,
    noState: "not-accepted",
    noLauncher: "no-state",
  });
  CallAuthority.markSent(authority, sent);
  const { state, launcher } =
    (JSON.parse(JSON.stringify(authority)) as { sent: Record<string, unknown> }).sent;
  assertEquals([state, launcher], ["not-accepted", "no-state"]);
  assert(Object.isFrozen(authority) && Object.isFrozen(authority.issued) && Object.isFrozen(authority.sent));
});
