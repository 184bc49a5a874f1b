import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { nextCommand } from "../../../../adapters/cli/status/row.ts";
import type { ServerStatus } from "../../../../core/enterprise/status/status.ts";
import { guidance } from "../../../../core/enterprise/status/status_text.ts";

test("the next command is the one at the end of the sentence", () => {
  const statuses: readonly ServerStatus[] = [
    { kind: "ready", until: null, extension: "unknown" },
    { kind: "configuration-unavailable" },
    { kind: "keyring-absent" },
    { kind: "signed-out", because: "refused" },
    { kind: "reconnect", because: "bearer-refused" },
    { kind: "administrator-denied", leg: "redemption" },
    { kind: "scope-refused", leg: "token-exchange" },
    { kind: "unavailable" },
  ];
  const next = statuses.map((status) =>
    nextCommand(guidance(status, { server: "tracker", provider: "acme" }))
  );
  assertEquals(next, [
    "codex-mcp tools tracker",
    "codex-mcp status",
    "codex-mcp login --idp acme",
    "codex-mcp login --idp acme",
    "codex-mcp doctor tracker --connect",
    "codex-mcp tools tracker",
    "codex-mcp doctor tracker --connect",
    "codex-mcp tools tracker",
  ]);
  assertEquals(nextCommand("Nothing to do."), null);
});
