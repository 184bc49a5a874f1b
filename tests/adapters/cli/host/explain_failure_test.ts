import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { withExplanation } from "../../../../adapters/cli/host/explain_failure.ts";
import type { ServerReport } from "../../../../adapters/mcp/host/servers/server_report.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { type CodexMcpError, HostError, type HostErrorCode } from "../../../../core/errors.ts";

const REPORTS = [
  { name: "good", faults: [], stderr: "" },
  { name: "bad", faults: [], stderr: "" },
  { name: "loud", faults: [], stderr: "s3cr3t" },
] as unknown as readonly ServerReport[];

/** What becomes of an error about a server. */
async function explained(server: string, error: CodexMcpError, reports = REPORTS): Promise<CodexMcpError> {
  const use = { server, reports: () => reports };
  return await assertRejects(() => withExplanation(use, () => Promise.reject(error)), Error) as CodexMcpError;
}

test("work that succeeds is what it is", async () => {
  assertEquals(await withExplanation({ server: "good", reports: () => [] }, () => Promise.resolve(7)), 7);
});

test("an error comes with what a person needs to go on", async () => {
  const rows: readonly (readonly [string, HostErrorCode, string])[] = [
    ["nope", "SERVER_UNKNOWN", "why. There is: good, bad, loud."],
    ["loud", "SERVER_UNAVAILABLE", "why. What it wrote to standard error: codex-mcp servers --stderr"],
    ["loud", "CONNECTION_LOST", "codex-mcp servers --stderr"],
  ];
  for (const [server, code, text] of rows) {
    const error = await explained(server, new HostError(code, "why", { server, rpcCode: 7, cause: "c" }));
    assert(error instanceof HostError);
    assertEquals([error.code, error.server, error.rpcCode, error.cause], [code, server, 7, "c"]);
    assertStringIncludes(error.message, text);
    assert(!error.message.includes("s3cr3t"));
  }
  const nothing = await explained("nope", new HostError("SERVER_UNKNOWN", "why"), []);
  assertEquals(nothing.message, "why. None is configured.");
});

test("every other error comes as it is", async () => {
  const errors = [
    new HostError("SERVER_UNAVAILABLE", "why"),
    new HostError("PROTOCOL_ERROR", "why"),
    new HostError("SERVER_DISABLED", "why"),
    new EnterpriseError("ADMINISTRATOR_REFUSED", "why"),
  ];
  for (const error of errors) assert(await explained("good", error) === error, error.code);
});

test("trouble that passes names the command that tries again", async () => {
  const error = await explained(
    "good",
    new EnterpriseError("KEYRING_LOCKED", "Locked.", { reason: "locked" }),
  );
  assertEquals(error.message, "Locked. Unlock it, then run: codex-mcp tools good");
});
