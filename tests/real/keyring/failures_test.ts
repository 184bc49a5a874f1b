/**
 * What each runtime says when the Secret Service is not there, is locked or does not answer, that it says it in time,
 * and that no secret is left anywhere: not in an error, and not in the kernel's keyring.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { after, before, test } from "node:test";
import { readToolchain } from "../../../scripts/gates/toolchain.ts";
import { kernelKeys } from "./kernel_keys.ts";
import { KeyringProgram, type ProgramRuntime, programRuntimes } from "./program.ts";
import { KeyringSession, type SessionKind } from "./session.ts";

const NAMES = [
  "Deno",
  ...readToolchain(new URL("../../..", import.meta.url).pathname).node.map((one) => `Node ${one}`),
];

/** Seconds within which an answer must come; the programs are told to wait for one second. */
const LIMIT = 20;

let folder = "";
let runtimes: readonly ProgramRuntime[] = [];

before(async () => {
  folder = await Deno.makeTempDir({ prefix: "keyring-node-" });
  runtimes = await programRuntimes(folder);
});

after(() => Deno.remove(folder, { recursive: true }));

const CASES: readonly (readonly [kind: SessionKind, code: string, reason: string])[] = [
  ["no-bus", "KEYRING_ABSENT", "no-service"],
  ["dead-bus", "KEYRING_ABSENT", "no-service"],
  ["odd-bus", "KEYRING_ABSENT", "no-service"],
  ["no-service", "KEYRING_ABSENT", "no-service"],
  ["no-collection", "KEYRING_ABSENT", "no-collection"],
  ["silent-bus", "KEYRING_LOCKED", "silent"],
  ["stopped-service", "KEYRING_LOCKED", "silent"],
];

for (const [index, name] of NAMES.entries()) {
  const start = (session: KeyringSession): KeyringProgram => {
    const runtime = runtimes[index];
    assert(runtime);
    return new KeyringProgram(runtime, session, { probeSeconds: 1, answerSeconds: 3 });
  };

  for (const [kind, code, reason] of CASES) {
    test(`${name}: ${kind} is ${code}, in time and without a trace`, { timeout: 120_000 }, async () => {
      const entry = { service: `codex-mcp-${crypto.randomUUID()}`, account: kind };
      const session = await KeyringSession.start(kind);
      const program = start(session);
      try {
        const secret = `secret-${crypto.randomUUID()}`;
        for (
          const request of [
            { ask: "write", entry, secret, aborted: false },
            { ask: "read", entry, aborted: false },
            { ask: "delete", entry, aborted: false },
          ] as const
        ) {
          const begin = performance.now();
          const answer = await program.ask(request);
          assert((performance.now() - begin) / 1000 < LIMIT, `${request.ask} took too long`);
          assertEquals(kernelKeys(entry.service), []);
          assert("code" in answer, `${request.ask} went through`);
          assertEquals([answer.code, answer.reason], [code, reason]);
          assert(!answer.shown.includes(secret), "the error holds the secret");
        }
      } finally {
        await program.end();
        await session.stop();
      }
    });
  }

  test(
    `${name}: a locked keyring is KEYRING_LOCKED, and what is in it stays`,
    { timeout: 120_000 },
    async () => {
      const entry = { service: `codex-mcp-${crypto.randomUUID()}`, account: "locked" };
      const session = await KeyringSession.start("unlocked");
      const program = start(session);
      try {
        const [kept, lost] = [`secret-${crypto.randomUUID()}`, `secret-${crypto.randomUUID()}`];
        await program.value({ ask: "write", entry, secret: kept, aborted: false });
        await session.lock();
        for (
          const request of [
            { ask: "read", entry, aborted: false },
            { ask: "write", entry, secret: lost, aborted: false },
            { ask: "delete", entry, aborted: false },
          ] as const
        ) {
          const answer = await program.ask(request);
          assert("code" in answer, `${request.ask} went through`);
          assertEquals([answer.code, answer.reason], ["KEYRING_LOCKED", "locked"]);
          assertStringIncludes(answer.shown, "it is locked");
          for (const secret of [kept, lost]) {
            assert(!answer.shown.includes(secret), "the error holds a secret");
          }
          assertEquals(kernelKeys(entry.service), []);
        }
        await session.unlock();
        assertEquals(await program.value({ ask: "read", entry, aborted: false }), kept);
      } finally {
        await program.end();
        await session.stop();
      }
    },
  );

  test(`${name}: a service that stops and goes on is there again`, { timeout: 120_000 }, async () => {
    const entry = { service: "codex-mcp-frozen", account: "frozen" };
    const session = await KeyringSession.start("unlocked");
    const program = start(session);
    try {
      await program.value({ ask: "write", entry, secret: "one", aborted: false });
      session.freeze(true);
      const answer = await program.ask({ ask: "read", entry, aborted: false });
      assertEquals("code" in answer && [answer.code, answer.reason], ["KEYRING_LOCKED", "silent"]);
      session.freeze(false);
      assertEquals(await program.value({ ask: "read", entry, aborted: false }), "one");
    } finally {
      await program.end();
      await session.stop();
    }
  });
}
