/**
 * Sessions under a real Codex: one thread, several turns, and the policy of each turn.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, exists } from "../../fixtures/codex_host/place.ts";
import { SANDBOX_STATE_KEY } from "../../../core/sandbox/keys.ts";
import { LIMIT } from "../codex/turns.ts";
import type { ModelCall } from "../../fixtures/codex_host/mock_model.ts";
import { type ModelView, startSessionHost } from "./host.ts";
import { marked, untilNone } from "./processes.ts";

for (const modern of [false, true]) {
  const era = modern ? "MCP 2026-07-28" : "the handshake";

  test(`a REPL is kept for its thread, and ends with its policy, ${era}`, LIMIT, async () => {
    await using place = await createPlace();
    await using host = await startSessionHost(place, { modern });
    const mark = crypto.randomUUID();
    const [file, later] = [join(place.workspace, "first"), join(place.workspace, "later")];
    const owner = await host.thread("workspace-write");
    const other = await host.thread("workspace-write");
    const command = ["python3", "-i", "-u", "-c", `mark = "${mark}"`];
    const start = await host.turn(owner, { tool: "session_start", arguments: { command } });
    const started = report(start);
    assertEquals([started.state, started.sandboxed], ["running", true], start.seen);
    const { sessionId } = started;
    const send = (input: string): Omit<ModelCall, "server"> => ({
      tool: "session_send",
      arguments: { sessionId, input, waitMs: 20_000 },
    });

    const writing = await host.turn(owner, send(`print(open(${JSON.stringify(file)}, "w").write(mark))\n`));
    assertStringIncludes(report(writing).stdout, "36\n");
    assertEquals([await exists(file), writing.meta["threadId"]], [true, owner]);

    const stranger = await host.turn(other, send("print(1)\n"));
    assertEquals(stranger.meta["threadId"], other);
    assertStringIncludes(stranger.seen, "SESSION_UNKNOWN: ");
    assertStringIncludes(report(await host.turn(owner, send("print(mark)\n"))).stdout, mark);
    assert(marked(mark).length > 0);

    // This Codex sends the state of before a change until the next one, so the states that it sends decide.
    const before = JSON.stringify(start.meta[SANDBOX_STATE_KEY]);
    let changed: ModelView | undefined;
    for (const mode of ["read-only", "workspace-write"] as const) {
      const view = await host.turn(
        owner,
        send(`open(${JSON.stringify(later)}, "w") and print("opened")\n`),
        mode,
      );
      if (JSON.stringify(view.meta[SANDBOX_STATE_KEY]) !== before) {
        changed = view;
        break;
      }
      assertStringIncludes(report(view).stdout, "opened");
      await Deno.remove(later);
    }
    assertStringIncludes(changed?.seen ?? "", "AUTHORITY_CHANGED: ");
    await untilNone(mark);
    assertEquals(await exists(later), false);
    const gone = await host.turn(owner, send("print(1)\n"));
    assert(/^(AUTHORITY_CHANGED|SESSION_ENDED): /m.test(gone.seen), gone.seen);
  });
}

/** What the model was told: a line of text ahead of the tool's own JSON. */
function report({ seen }: ModelView): Readonly<Record<"state" | "sessionId" | "stdout", string>> & {
  readonly sandboxed: unknown;
} {
  const start = seen.indexOf("{");
  assert(start >= 0, seen);
  return JSON.parse(seen.slice(start));
}
