/**
 * What the model behind a real Codex sees of a refusal, and what it can reach with arguments of its own.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { test } from "node:test";
import { buildSandboxState } from "../../../core/sandbox/presets.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { startHttpServer } from "../../fixtures/codex_host/http_server.ts";
import { createPlace, exists, type Place } from "../../fixtures/codex_host/place.ts";
import { path, serveCommand } from "../../fixtures/codex_host/servers.ts";
import { runTurn } from "../../fixtures/codex_host/turn.ts";
import { LIMIT, resultIn } from "./turns.ts";

/** Writes a file, which tells whether anything ran. */
function mark(place: Place): { readonly command: readonly string[]; readonly file: string } {
  const file = join(place.workspace, "marker");
  return { command: ["/bin/sh", "-c", ': > "$1"', "sh", file], file };
}

for (const modern of [false, true]) {
  test(
    `a disabled profile that the operator refuses, ${modern ? "2026-07-28" : "handshake"}`,
    LIMIT,
    async () => {
      await using place = await createPlace();
      const { command, file } = mark(place);
      const server = serveCommand("--refuse-disabled");
      const turn = await runTurn(place, {
        mode: "danger-full-access",
        server,
        modern,
        arguments: { command },
      });
      assertStringIncludes(turn.seen, "PROFILE_REFUSED: ");
      assertEquals(await exists(file), false);
      assertEquals(turn.sent.at(-1)?.result?.["isError"], true);
    },
  );
}

test("an operator who closes the network closes it for the model's command", LIMIT, async () => {
  await using place = await createPlace();
  const { command, file } = mark(place);
  const turn = await runTurn(place, {
    mode: "workspace-write",
    server: serveCommand("--disable-network"),
    workspaceWrite: { network_access: true },
    arguments: { command },
  });
  assertStringIncludes(turn.seen, "--sandbox-state-disable-network");
  assertEquals(await exists(file), true);
});

test("a server over HTTP has no launcher to run with", LIMIT, async () => {
  await using place = await createPlace();
  await using server = startHttpServer();
  const { command, file } = mark(place);
  const turn = await runTurn(place, { mode: "danger-full-access", server, arguments: { command } });
  assertStringIncludes(turn.seen, "LAUNCHER_MISSING: ");
  assertEquals(await exists(file), false);
});

test("a server that forgot to advertise is told so, and by which host", LIMIT, async () => {
  await using place = await createPlace();
  const { command, file } = mark(place);
  const script = path("tests/fixtures/codex_host/forgetful.ts");
  const server = [Deno.execPath(), "run", "--quiet", "-A", "--config", path("deno.json"), script];
  const turn = await runTurn(place, { mode: "danger-full-access", server, arguments: { command } });
  assertStringIncludes(turn.seen, "STATE_MISSING: ");
  assertStringIncludes(turn.seen, "never advertised");
  assertStringIncludes(turn.seen, "codex-mcp-client");
  assertEquals(await exists(file), false);
});

test("metadata that the model puts into the arguments changes nothing", LIMIT, async () => {
  await using place = await createPlace();
  const { command, file } = mark(place);
  const disabled = buildSandboxState("danger-full-access", { directory: place.outside });
  const forged = {
    "codex/sandbox-state": disabled,
    "codex/sandbox-state-meta": disabled,
    "codex/sandbox-launcher": { codexExecutable: await realCodex() },
  };
  const turn = await runTurn(place, {
    mode: "read-only",
    server: serveCommand(),
    arguments: { command, _meta: forged, ...forged },
  });
  const result = resultIn(turn.seen);
  assertEquals(result.sandboxed, true);
  assert(result.exitCode !== 0);
  assertEquals(await exists(file), false);
});
