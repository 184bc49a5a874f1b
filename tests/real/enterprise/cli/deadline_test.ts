/**
 * With the system's keyring absent, silent or locked, and with an identity provider that is down or silent, each
 * command ends by itself: in time, with its exit code and one sentence that says what to do.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { type EnterpriseBed, startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { EnterprisePlace, type EnterpriseStart } from "../../../fixtures/enterprise_cli/place.ts";
import { foreignTokens } from "../../../fixtures/enterprise_cli/tokens.ts";
import { KeyringSession, type SessionKind } from "../../keyring/session.ts";

/** Milliseconds within which each command must have ended; without the deadline it would not end at all. */
const LIMIT = 60_000;

const COMMANDS: readonly (readonly string[])[] = [
  ["login", "--no-browser", "--yes"],
  ["status"],
  ["token", "notes"],
  ["tools", "notes"],
  ["call", "notes", "whoami"],
  ["servers"],
  ["logout"],
];

/** Commands that say on standard output what each server lacks. */
const TABLES: ReadonlySet<string | undefined> = new Set(["status", "servers"]);

const KEYRINGS: readonly (readonly [kind: SessionKind, code: string])[] = [
  ["no-bus", "KEYRING_ABSENT"],
  ["no-service", "KEYRING_ABSENT"],
  ["silent-bus", "KEYRING_LOCKED"],
  ["stopped-service", "KEYRING_LOCKED"],
];

const UNAVAILABLE =
  /^codex-mcp: TEMPORARILY_UNAVAILABLE: Cannot (?!wait).+127\.0\.0\.1.+\. Try again later: codex-mcp (login|token notes)$/;

interface Ended {
  readonly exit: number;
  /** The last line on standard error. */
  readonly last: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A place where alice is signed in: the file that says so is there, whatever becomes of the keyring. */
async function signedIn(bed: EnterpriseBed): Promise<EnterprisePlace> {
  const place = await EnterprisePlace.create(bed.configuration());
  const { refreshToken: input } = await foreignTokens(bed);
  const { code, stderr } = await place.run(["login", "--refresh-token-stdin", "--yes"], { input });
  assertEquals(code, 0, stderr);
  return place;
}

/** Runs a command, and gives what it printed last: the error, or what follows. */
async function ended(
  place: EnterprisePlace,
  words: readonly string[],
  start: EnterpriseStart,
): Promise<Ended> {
  const began = performance.now();
  const { code: exit, stdout, stderr } = await place.run(words, start);
  assert(performance.now() - began < LIMIT, `${words.join(" ")} took too long: ${stderr}`);
  return { exit, last: stderr.trimEnd().split("\n").at(-1) ?? "", stdout, stderr };
}

for (const [kind, code] of KEYRINGS) {
  test(`${kind}: each command is ${code}, in time`, { timeout: LIMIT * COMMANDS.length }, async () => {
    const session = await KeyringSession.start(kind);
    try {
      await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
      await using place = await signedIn(bed);
      const environment = { ...session.environment, ...place.environment, TEST_KEYRING: "system" };
      bed.wire.clear();
      for (const words of COMMANDS) {
        const { exit, last, stdout } = await ended(place, words, { environment });
        const text = `${words.join(" ")}: ${stdout}${last}`;
        assertEquals(exit, 5, text);
        if (TABLES.has(words[0])) {
          assertMatch(stdout, /keyring.+(Start|Unlock).+codex-mcp/, text);
          continue;
        }
        const next = words[0] === "call" ? "tools" : words[0];
        assertMatch(last, new RegExp(`^codex-mcp: ${code}: Cannot .+\\. .+: codex-mcp ${next}.*$`), text);
      }
      assertEquals(bed.wire.entries(), [], "something was sent although nothing could be stored");
    } finally {
      await session.stop();
    }
  });
}

test(
  "an identity provider that is silent or gone: each command ends by itself",
  { timeout: 600_000 },
  async () => {
    await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
    await using place = await signedIn(bed);
    bed.wire.clear();
    bed.faults.set("idp.metadata", { kind: "hang" });
    const lines: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["status"], 0, /^$/],
      [["token", "notes", "--timeout", "2"], 5, UNAVAILABLE],
      [["login", "--device", "--timeout", "2"], 5, UNAVAILABLE],
      [["login", "--id-token-stdin", "--timeout", "2"], 5, UNAVAILABLE],
      [["login", "--refresh-token-stdin", "--timeout", "2"], 5, UNAVAILABLE],
    ];
    for (const [words, exit, pattern] of lines) {
      const outcome = await ended(place, words, { input: "a.b.c\n" });
      assertEquals(outcome.exit, exit, `${words.join(" ")}: ${outcome.last}`);
      if (exit > 0) assertMatch(outcome.last, pattern);
      if (words[0] === "status") assertEquals(bed.wire.entries(), [], "status asked somebody");
    }
    // signing out needs nobody: what could not be done is said
    const { exit, stderr } = await ended(place, ["logout"], {});
    assertEquals([exit, place.keyring.items], [0, {}], stderr);
    assertMatch(stderr, /has not revoked the sign-in\. Cannot /);
  },
);
