import { assertEquals } from "@std/assert";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { closeEnds, openNamedPipes } from "../../../adapters/node/_named_pipes.ts";
import { createProcesses } from "../../../adapters/node/process.ts";

const isNode = process.platform === "linux" && !("deno" in process.versions || "bun" in process.versions);

/** What the standard streams of a child are, which `cat`s its input first. */
async function kindsOf(namedPipes: boolean): Promise<readonly string[]> {
  const script = 'cat; for n in 0 1 2; do readlink "/proc/$$/fd/$n" | cut -d: -f1 >&2; done';
  const child = await createProcesses({ namedPipes }).spawn({ executable: "/bin/sh", args: ["-c", script] }, {
    environment: { PATH: "/usr/bin:/bin" },
    stdin: "piped",
  });
  const texts = [child.stdout, child.stderr].map(async (stream) => {
    let text = "";
    for await (const chunk of stream) text += new TextDecoder().decode(chunk);
    return text;
  });
  assertEquals(await child.write(new TextEncoder().encode("typed")), true);
  await child.closeStdin();
  const [stdout = "", stderr = ""] = await Promise.all(texts);
  assertEquals([stdout, await child.exited], ["typed", { exitCode: 0, signal: null }]);
  return stderr.trim().split("\n").map((line) => line.startsWith("/") ? "pipe" : line);
}

test("a child has pipes for its streams, and never sockets", { skip: !isNode }, async () => {
  assertEquals(await kindsOf(true), ["pipe", "pipe", "pipe"]);
  assertEquals(await kindsOf(false), ["socket", "socket", "socket"]);
});

/** Runs `body` with another temporary folder. */
async function withTemporaryFolder(folder: string, body: () => Promise<void>): Promise<void> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    await body();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

test("nothing of a pipe is left in the temporary folder", { skip: !isNode }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "codex-mcp-test-"));
  try {
    await withTemporaryFolder(folder, async () => {
      const pipes = await openNamedPipes(["in", null, "out"]);
      assertEquals(pipes.map((pipe) => pipe === null), [false, true, false]);
      assertEquals(await readdir(folder), []);
      for (const pipe of pipes) pipe?.stream.destroy();
      closeEnds(pipes.flatMap((pipe) => pipe?.childEnd ?? []));
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("there are none without a temporary folder, nor in another runtime", async () => {
  await withTemporaryFolder("/nowhere/at/all", async () => {
    assertEquals(await openNamedPipes(["out", null]), [null, null]);
  });
  if (!isNode) assertEquals(await openNamedPipes(["out"]), [null]);
});
