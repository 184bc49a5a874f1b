/**
 * The keyring of each runtime over a real Secret Service, in a session of its own.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { after, before, test } from "node:test";
import { readToolchain } from "../../../scripts/gates/toolchain.ts";
import { testKeyring } from "../../contracts/keyring.ts";
import { kernelKeys } from "./kernel_keys.ts";
import { KeyringProgram, type ProgramRuntime, programRuntimes } from "./program.ts";
import { KeyringSession } from "./session.ts";

const NAMES = [
  "Deno",
  ...readToolchain(new URL("../../..", import.meta.url).pathname).node.map((one) => `Node ${one}`),
];

let folder = "";
let runtimes: readonly ProgramRuntime[] = [];
let session: KeyringSession;
const programs: KeyringProgram[] = [];

before(async () => {
  folder = await Deno.makeTempDir({ prefix: "keyring-node-" });
  runtimes = await programRuntimes(folder);
  session = await KeyringSession.start("unlocked");
  programs.push(...runtimes.map((runtime) => new KeyringProgram(runtime, session)));
});

after(async () => {
  for (const program of programs) await program.end();
  await session.stop();
  await Deno.remove(folder, { recursive: true });
});

for (const [index, name] of NAMES.entries()) {
  testKeyring(name, {
    backend: "Secret Service",
    open: () => {
      const program = programs[index];
      if (program === undefined) throw new Error(`there is no ${name}`);
      return program.keyring();
    },
  });
}

test("what one runtime stores, each other reads, and nothing of it is in the kernel's keyring", async () => {
  const { signal } = new AbortController();
  const entry = { service: "codex-mcp-shared", account: "shared" };
  for (const [index, program] of programs.entries()) {
    const secret = `stored by ${NAMES[index]}`;
    await (await program.keyring()).write(entry, { secret, signal });
    for (const other of programs) assertEquals(await (await other.keyring()).read(entry, signal), secret);
  }
  assertEquals(kernelKeys("codex-mcp-shared"), []);
  assertEquals(kernelKeys("codex-mcp-contract"), []);
});
