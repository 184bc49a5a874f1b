/**
 * What every process port does. Registers the cases for one implementation.
 *
 * The children are `/bin/sh` and what POSIX puts beside it, so the cases run on Unix alone.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { chmod, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { inspect } from "node:util";
import { ProcessError, type ProcessErrorCode } from "../../core/errors.ts";
import type { ChildProcess, ProcessPort, SpawnOptions } from "../../core/ports/process.ts";

const PATH = "/usr/bin:/bin";

/** Registers the contract of the process port for `port`, each case under `name`. */
export function testProcessPort(name: string, port: ProcessPort): void {
  const sh = (script: string, options: Partial<SpawnOptions> & { args?: readonly string[] } = {}) => {
    const { args = [], ...rest } = options;
    const request = { executable: "/bin/sh", args: ["-c", script, ...args] };
    return port.spawn(request, { environment: { PATH }, stdin: "closed", ...rest });
  };

  test(`${name}: arguments arrive byte for byte`, async () => {
    const args = ["", " ", "a b", `"'\\`, "x\ny", "😀 é", "-n", "--", "$HOME `id` *", "\u0001\u007f"];
    const child = await sh(`printf '%s\\0' "$@"`, { args: ["sh", ...args] });
    assertEquals((await readText(child.stdout)).split("\0").slice(0, -1), args);
    assertEquals(await child.exited, { exitCode: 0, signal: null });
  });

  test(`${name}: the environment is the given one and nothing else`, async () => {
    const environment = { A: "", B: "x=y\nz", "odd-name.1": "😀", __proto_: "p" };
    const child = await port.spawn({ executable: "/usr/bin/env", args: [] }, {
      environment,
      stdin: "closed",
    });
    const expected = "A=\nB=x=y\nz\nodd-name.1=😀\n__proto_=p\n";
    assertEquals(sortLines(await readText(child.stdout)), sortLines(expected));
  });

  test(`${name}: the child starts in the directory it is given`, async () => {
    const directory = await realpath(tmpdir());
    const child = await sh("pwd -P", { directory });
    assertEquals(await readText(child.stdout), `${directory}\n`);
  });

  test(`${name}: closed standard input is empty, and takes nothing`, async () => {
    const child = await sh("cat; echo end");
    assertEquals(await child.write(new Uint8Array([1])), false);
    await child.closeStdin();
    assertEquals(await readText(child.stdout), "end\n");
  });

  test(`${name}: a mebibyte goes in and comes out`, async () => {
    const child = await port.spawn({ executable: "/bin/cat", args: [] }, { environment: {}, stdin: "piped" });
    const sent = new Uint8Array(1 << 20).map((_, index) => index * 31);
    const output = readBytes(child.stdout);
    assertEquals(await child.write(sent), true);
    await child.closeStdin();
    await child.closeStdin();
    assertEquals(Buffer.compare(await output, sent), 0);
    assertEquals(await child.exited, { exitCode: 0, signal: null });
    assertEquals(await child.write(sent), false);
  });

  test(`${name}: writing to a child that has closed its input is false, never an error`, async () => {
    const child = await sh("exec <&-; echo closed; exec sleep 600", { stdin: "piped" });
    await readFirst(child.stdout);
    const block = new Uint8Array(1 << 20);
    assertEquals(await child.write(block), false);
    assertEquals(await child.write(block), false);
    await end(child);
  });

  test(`${name}: a write that nobody reads ends with release`, async () => {
    const child = await sh("exec sleep 600", { stdin: "piped" });
    const written = child.write(new Uint8Array(1 << 20));
    child.release();
    assertEquals(await written, false);
    await end(child);
  });

  test(`${name}: exit status and signal are the system's own`, async () => {
    for (const exitCode of [0, 1, 126, 137, 255]) {
      assertEquals(await (await sh(`exit ${exitCode}`)).exited, { exitCode, signal: null });
    }
    for (const signal of ["SIGTERM", "SIGKILL", "SIGABRT"]) {
      const child = await sh(`kill -${signal.slice(3)} $$`);
      assertEquals(await child.exited, { exitCode: null, signal });
    }
  });

  test(`${name}: output is still there for a reader that comes after the exit`, async () => {
    const child = await sh("echo out; echo err >&2");
    await child.exited;
    assertEquals(await readText(child.stdout), "out\n");
    assertEquals(await readText(child.stderr), "err\n");
  });

  test(`${name}: a child waits for its reader`, async () => {
    const child = await sh("head -c 8000000 /dev/zero; echo done >&2");
    const done = readText(child.stderr);
    const patience = new Promise<string>((resolve) => setTimeout(resolve, 300, "waiting"));
    assertEquals(await Promise.race([done, patience]), "waiting");
    assertEquals((await readBytes(child.stdout)).length, 8_000_000);
    assertEquals(await done, "done\n");
  });

  test(`${name}: inherited standard error is not read`, async () => {
    const child = await sh("echo out", { stderr: "inherit" });
    assertEquals([await readText(child.stdout), await readText(child.stderr)], ["out\n", ""]);
  });

  test(`${name}: a signal reaches the whole group, and an ended group takes none`, async () => {
    const child = await sh("sleep 600 & sleep 600 & echo started; wait");
    await readFirst(child.stdout);
    assertEquals(child.alive(), true);
    assertEquals(child.kill("SIGTERM"), true);
    assertEquals(await child.exited, { exitCode: null, signal: "SIGTERM" });
    await pollUntil(() => !child.alive());
    const alone = await sh("exit 0");
    await alone.exited;
    assertEquals([alone.kill("SIGTERM"), alone.kill("SIGKILL"), alone.alive()], [false, false, false]);
  });

  test(`${name}: what is left of a group can be signalled after its leader`, async () => {
    const child = await sh("(trap '' TERM; echo started; sleep 600; sleep 600) & read line <&0; wait");
    await readFirst(child.stdout);
    child.kill("SIGTERM");
    await child.exited;
    assertEquals(child.alive(), true);
    assertEquals(child.kill("SIGKILL"), true);
    await pollUntil(() => !child.alive());
  });

  test(`${name}: release ends the reading of a pipe that someone still holds`, async () => {
    const child = await sh("sleep 600 & echo out; exit 3");
    const output = readText(child.stdout);
    assertEquals(await child.exited, { exitCode: 3, signal: null });
    assertEquals(child.alive(), true);
    child.release();
    child.release();
    await output;
    await readText(child.stderr);
    await end(child);
  });

  test(`${name}: refusals are told apart and give no argument or environment away`, async () => {
    const folder = await mkdtemp(`${tmpdir()}/process-contract-`);
    const place = async (file: string, content: string, mode: number): Promise<string> => {
      await writeFile(`${folder}/${file}`, content);
      await chmod(`${folder}/${file}`, mode);
      return `${folder}/${file}`;
    };
    const plain = await place("plain", "#!/bin/sh\n", 0o644);
    const bare = await place("bare", "touch ran\n", 0o755);
    const empty = await place("empty", "", 0o755);
    const orphan = await place("orphan", "#!/nowhere/interpreter\n", 0o755);
    const absent = `${folder}/absent`;
    type Case = [
      ProcessErrorCode,
      string,
      { directory?: string; args?: string[]; A?: string; name?: string },
    ];
    const cases: Case[] = [
      ["PROGRAM_NOT_FOUND", absent, {}],
      ["PROGRAM_NOT_FOUND", absent, { directory: folder }],
      ["PROGRAM_NOT_FOUND", `${plain}/below`, {}],
      ["PROGRAM_NOT_FOUND", "sh", {}],
      ["PROGRAM_NOT_FOUND", "./sh", { directory: "/bin" }],
      ["PROGRAM_NOT_FOUND", "C:\\sh", {}],
      ["PROGRAM_NOT_FOUND", "", {}],
      ["DIRECTORY_NOT_FOUND", "/bin/sh", { directory: absent }],
      ["DIRECTORY_NOT_FOUND", "/bin/sh", { directory: plain }],
      ["DIRECTORY_NOT_FOUND", "/bin/sh", { directory: "" }],
      ["PROGRAM_NOT_EXECUTABLE", folder, {}],
      ["PROGRAM_NOT_EXECUTABLE", plain, {}],
      ["PROGRAM_NOT_EXECUTABLE", plain, { directory: folder }],
      ["PROGRAM_NOT_EXECUTABLE", bare, { directory: folder }],
      ["PROGRAM_NOT_EXECUTABLE", empty, {}],
      ["PROGRAM_NOT_EXECUTABLE", orphan, {}],
      ["ARGUMENTS_TOO_LARGE", "/bin/sh", { args: ["a-secret".repeat(1 << 20)] }],
      ["SPAWN_FAILED", "/bin/sh", { args: ["a-secret\0"] }],
      ["SPAWN_FAILED", "/bin/sh", { args: ["a-secret\ud800"] }],
      ["SPAWN_FAILED", "/bin/sh", { A: "a-secret\0" }],
      ["SPAWN_FAILED", "/bin/sh", { name: "A=B" }],
      ["SPAWN_FAILED", "/bin/sh", { name: "" }],
      ["SPAWN_FAILED", "/bin/sh\0", {}],
    ];
    for (const [code, executable, { directory, args = ["a-secret"], A = "a-secret", name = "B" }] of cases) {
      const options: SpawnOptions = {
        environment: { A, [name]: "a-secret" },
        stdin: "piped",
        ...(directory === undefined ? {} : { directory }),
      };
      const error = await assertRejects(() => port.spawn({ executable, args }, options), ProcessError);
      assertEquals([error.code, executable], [code, executable]);
      assert(!inspect(error, { depth: 9, showHidden: true }).includes("a-secret"), error.message);
      if (executable === absent) assert(error.cause instanceof Error);
    }
    await rm(folder, { recursive: true });
  });
}

/** All bytes of `source`. */
async function readBytes(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** All of `source` as text. */
async function readText(source: AsyncIterable<Uint8Array>): Promise<string> {
  return new TextDecoder().decode(await readBytes(source));
}

/** Waits for the first chunk, and leaves the source open. */
async function readFirst(source: AsyncIterable<Uint8Array>): Promise<void> {
  await source[Symbol.asyncIterator]().next();
}

/** Ends a child for good. */
async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await child.exited;
  await pollUntil(() => !child.alive());
  child.release();
}

/** Waits until `condition` holds; the test's own limit ends a wait in vain. */
async function pollUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function sortLines(text: string): readonly string[] {
  return text.split("\n").sort();
}
