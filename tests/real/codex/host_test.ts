/**
 * A real Codex CLI as the host: what its tool calls come to on `codex-mcp serve`, and on servers that other people
 * would write.
 *
 * @module
 */

import { test } from "node:test";
import { SANDBOX_MODES } from "../../../core/sandbox/presets.ts";
import { exampleCommand, serveCommand } from "../../fixtures/codex_host/servers.ts";
import { checkTurn, LIMIT } from "./turns.ts";

for (const mode of SANDBOX_MODES) {
  for (const modern of [false, true]) {
    test(`serve under ${mode}, ${modern ? "MCP 2026-07-28" : "with the handshake"}`, LIMIT, () => {
      return checkTurn({ server: serveCommand(), mode, modern });
    });
  }
  test(`a server on SDK v1 under ${mode}`, LIMIT, () => {
    return checkTurn({ server: exampleCommand("sdk_v1"), mode });
  });
  test(`a server on SDK v2 under ${mode}, MCP 2026-07-28`, LIMIT, () => {
    return checkTurn({ server: exampleCommand("sdk_v2"), mode, modern: true });
  });
  test(`a server without SDK under ${mode}`, LIMIT, () => {
    return checkTurn({ server: exampleCommand("no_sdk"), mode });
  });
}

test("a server on SDK v2 under workspace-write, with the handshake", LIMIT, () => {
  return checkTurn({ server: exampleCommand("sdk_v2"), mode: "workspace-write" });
});

test("serve under workspace-write with the network open", LIMIT, () => {
  return checkTurn({
    server: serveCommand(),
    mode: "workspace-write",
    workspaceWrite: { network_access: true },
  });
});
