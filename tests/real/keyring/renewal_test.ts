/**
 * Two processes, on whatever runtimes, that renew one rotating refresh token at the same time: neither is ever refused,
 * and a process that is killed while it has the lock keeps nobody from going on.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { after, before, test } from "node:test";
import { kernelKeys } from "./kernel_keys.ts";
import { KeyringProgram, type ProgramRuntime, programRuntimes } from "./program.ts";
import { KEY, signInRecord } from "./records.ts";
import { KeyringSession } from "./session.ts";
import { RotatingProvider } from "../rotating_provider.ts";

const ROUNDS = 100;

let folder = "";
let session: KeyringSession;
let provider: RotatingProvider;
let runtimes: readonly ProgramRuntime[] = [];

before(async () => {
  folder = await Deno.makeTempDir({ prefix: "keyring-node-" });
  runtimes = await programRuntimes(folder);
  session = await KeyringSession.start("unlocked");
  provider = await RotatingProvider.start();
});

after(async () => {
  await provider.stop();
  await session.stop();
  await Deno.remove(folder, { recursive: true });
});

/** Runs `body` with a program on each runtime and one more on Deno. */
async function withPrograms(
  body: (programs: readonly KeyringProgram[]) => Promise<void>,
  lockSeconds = 60,
): Promise<void> {
  const deno = runtimes[0];
  assert(deno);
  const programs = [...runtimes, deno].map((runtime) =>
    new KeyringProgram(runtime, session, { lockSeconds })
  );
  try {
    const record = signInRecord(provider.signIn());
    await programs[0]?.value({ ask: "sign-in", key: KEY, record });
    await body(programs);
  } finally {
    for (const program of programs) await program.end();
  }
}

function renew(program: KeyringProgram, times = 1): Promise<unknown> {
  return program.value({ ask: "renew", key: KEY, url: provider.url, times });
}

test(
  `two processes renew at the same time, ${ROUNDS} times`,
  { timeout: 300_000 },
  () =>
    withPrograms(async (programs) => {
      const refused: unknown[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const one = programs[round % programs.length];
        const other = programs[
          (round + 1 + Math.floor(round / programs.length) % (programs.length - 1)) % programs.length
        ];
        assert(one && other && one !== other);
        refused.push(...await Promise.all([renew(one), renew(other)]));
      }
      assertEquals(refused.filter((count) => count !== 0), []);
      assertEquals([provider.ended, provider.rotations], [false, 2 * ROUNDS]);
      const grant = await programs[0]?.value({ ask: "grant", key: KEY });
      assertEquals((grant as { readonly revision: number }).revision, 2 * ROUNDS);
      assertEquals(kernelKeys(KEY), []);
    }),
);

test(
  "five processes renew as fast as they can",
  { timeout: 300_000 },
  () =>
    withPrograms(async (programs) => {
      const refused = await Promise.all(programs.map((program) => renew(program, 8)));
      assertEquals(refused, programs.map(() => 0));
      assertEquals([provider.ended, provider.rotations], [false, programs.length * 8]);
    }),
);

test(
  "a process is killed while it waits for the identity provider; the others go on",
  { timeout: 300_000 },
  () =>
    withPrograms(async (programs) => {
      for (const [index, program] of programs.slice(0, -1).entries()) {
        const arrived = provider.stall();
        const given = renew(program).catch(() => "killed");
        await arrived;
        const waiting = renew(programs.at(-1) as KeyringProgram);
        provider.resume();
        await program.end();
        assertEquals(await given, "killed");
        assertEquals(await waiting, 0, `after the death of the program on ${runtimes[index]?.name}`);
      }
      assertEquals(provider.ended, false);
    }),
);

test(
  "a process that does not move keeps its lock, one that is dead does not",
  { timeout: 300_000 },
  () =>
    withPrograms(async (programs) => {
      const last = programs.at(-1) as KeyringProgram;
      for (const program of programs.slice(0, -1)) {
        assertEquals(await program.value({ ask: "hold" }), "held");
        program.signal("SIGSTOP");
        const answer = await last.ask({ ask: "grant", key: KEY });
        assertEquals("code" in answer && answer.code, "LOCK_TIMEOUT");
        await program.end();
        const grant = await last.value({ ask: "grant", key: KEY });
        assertEquals((grant as { readonly revision: number }).revision, 0);
      }
    }, 1),
);
