/**
 * A secret that is to come on standard input and never does: each command ends by itself, in its own deadline.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { EnterprisePlace } from "../../../fixtures/enterprise_cli/place.ts";
import { foreignTokens } from "../../../fixtures/enterprise_cli/tokens.ts";

/** Milliseconds within which each command must have ended; without the deadline it would not end at all. */
const LIMIT = 60_000;

test("standard input that stays open and silent holds no command", { timeout: 300_000 }, async () => {
  await using bed = await startEnterpriseBed({ profile: "keycloak-confidential" });
  const text = bed.configuration();
  await using place = await EnterprisePlace.create(text);
  const { refreshToken: input } = await foreignTokens(bed);
  const { code, stderr } = await place.run(["login", "--refresh-token-stdin", "--yes"], { input });
  assertEquals(code, 0, stderr);
  const [head = "", ...rest] = text.split("\n[mcp_servers.");
  const silent = head.replace(/client_secret = ".*"/, "client_secret = { stdin = true }");
  assert(silent !== head, text);
  await place.configure([silent, ...rest].join("\n[mcp_servers."));
  const commands: readonly (readonly [readonly string[], number])[] = [
    [["token", "notes", "--timeout", "3"], 5],
    [["login", "--device", "--yes", "--timeout", "3"], 5],
    [["login", "--no-browser", "--yes", "--timeout", "3"], 5],
    [["logout"], 0],
  ];
  for (const [words, exit] of commands) {
    const run = place.start(words, { keep: true });
    const timer = setTimeout(() => run.process.kill("SIGKILL"), LIMIT);
    const ended = await run.outcome;
    clearTimeout(timer);
    assertEquals(ended.code, exit, `${words.join(" ")}: ${ended.stderr}`);
    assertMatch(ended.stderr, /its secret did not come in time/);
  }
});
