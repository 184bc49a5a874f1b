/**
 * The server of `examples/servers/plain_text.ts`, which `docs/server.md` shows as what comes of a server that was
 * there before: it keeps the whole contract with answers that are the text of the command.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runDeno } from "../../../scripts/command.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

test("a server that answers with plain text keeps the contract", { timeout: 120_000 }, async () => {
  const server = [Deno.execPath(), "run", "-A", "--config", "deno.json", "examples/servers/plain_text.ts"];
  const args = ["run", "-A", "adapters/cli/main.ts", "check", "--json", "--", ...server];
  const { code, stdout, output } = await runDeno(args, { directory: ROOT });
  assertEquals(code, 0, output);
  const checks: readonly { readonly id: string; readonly status: string }[] = JSON.parse(stdout).checks;
  const open = checks.filter(({ status }) => status !== "ok").map(({ id, status }) => [id, status]);
  assertEquals(open, [["both-eras", "skipped"], ["long-lived", "skipped"]]);
});
