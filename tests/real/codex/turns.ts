/**
 * What a tool call of a real Codex comes to under each sandbox mode, for any server of the tool `exec`.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { join } from "node:path";
import type { SandboxMode } from "../../../core/sandbox/presets.ts";
import { listen } from "../../fixtures/codex_host/listener.ts";
import type { Observation } from "../../fixtures/codex_host/observe.ts";
import { createPlace, exists } from "../../fixtures/codex_host/place.ts";
import { observeCommand } from "../../fixtures/codex_host/servers.ts";
import { runTurn, type Turn, type TurnOptions } from "../../fixtures/codex_host/turn.ts";

/** Limit of one case. */
export const LIMIT = { timeout: 120_000 };

/** The handshake that Codex opens with by default. */
export const HANDSHAKE = "2025-06-18";

/** What each mode lets a command do. */
const ALLOWED: Readonly<Record<SandboxMode, Omit<Observation, "directory">>> = {
  "read-only": { inside: false, outside: false, network: false },
  "workspace-write": { inside: true, outside: false, network: false },
  "danger-full-access": { inside: true, outside: true, network: true },
};

/** A server and a mode. */
export interface Case extends Pick<TurnOptions, "mode" | "modern" | "workspaceWrite"> {
  /** The server's command. */
  readonly server: readonly string[];
}

/**
 * Lets Codex call `exec` with a command that tries everything, and checks what it said, what is on disk, who
 * connected, which era was spoken, and that the call's authority was the host's.
 */
export async function checkTurn({ server, mode, modern = false, workspaceWrite = {} }: Case): Promise<void> {
  await using place = await createPlace();
  await using listener = listen();
  const files = [join(place.workspace, "note"), join(place.outside, "note")] as const;
  const turn = await runTurn(place, {
    server,
    mode,
    modern,
    workspaceWrite,
    arguments: { command: observeCommand(...files, listener.port) },
  });
  const network = ALLOWED[mode].network || workspaceWrite["network_access"] === true;
  const expected = { ...ALLOWED[mode], network };
  const result = resultIn(turn.seen);
  assertEquals(JSON.parse(result.stdout), { directory: place.workspace, ...expected }, turn.seen);
  assertEquals(result.exitCode, 0);
  assertEquals(result.sandboxed, mode === "danger-full-access" ? "policy-disabled" : true);
  assertEquals([await exists(files[0]), await exists(files[1])], [expected.inside, expected.outside]);
  assertEquals(listener.connections(), network ? 1 : 0);
  checkEra(turn, modern);
}

/** What the model was told of a command: a line of text ahead of the tool's own JSON. */
export function resultIn(
  seen: string,
): { readonly stdout: string; readonly exitCode: number; readonly sandboxed: unknown } {
  return JSON.parse(seen.slice(seen.indexOf("{")));
}

/** The one `tools/call` that the server received. */
export function callOf(turn: Turn): Readonly<Record<string, unknown>> {
  const calls = turn.received.filter(({ method }) => method === "tools/call");
  assertEquals(calls.length, 1);
  return calls[0]!.params!;
}

/** Checks on the wire which era was spoken. */
function checkEra(turn: Turn, modern: boolean): void {
  const methods = turn.received.map(({ method }) => method);
  if (modern) {
    assertEquals(methods[0], "server/discover");
    assertEquals(methods.includes("initialize"), false);
    const meta = callOf(turn)["_meta"] as Readonly<Record<string, unknown>>;
    assertEquals(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
  } else {
    assertEquals(methods[0], "initialize");
    assertEquals(turn.received[0]?.params?.["protocolVersion"], HANDSHAKE);
    assertEquals(turn.sent[0]?.result?.["protocolVersion"], HANDSHAKE);
    assertEquals(methods.includes("server/discover"), false);
  }
}
