import { assertEquals, assertRejects } from "@std/assert";
import { readFile } from "node:fs/promises";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createServerConnection } from "../../../../../adapters/mcp/host/connect/create_connection.ts";
import { ProcessGuard } from "../../../../../adapters/sandbox/guard.ts";
import { HostError } from "../../../../../core/errors.ts";
import { hasEnded } from "../../../../contracts/has_ended.ts";
import { RUNTIMES } from "../../../../contracts/runtimes.ts";
import { removeFolder } from "../../../../fixtures/remove_folder.ts";
import { hostOptions, legacyServer, scriptEntry } from "./bench.ts";

const limit = { timeout: 120_000 };

/** Commands that start a grandchild; each process writes its id into `file`. Both outlive all but KILL. */
function stubborn(file: string): string {
  return `trap '' TERM; echo $$ >>${file}
    sh -c 'trap "" TERM; echo $$ >>${file}; while :; do sleep 1; done' </dev/null &`;
}

async function withFile(work: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "connect-"));
  try {
    await work(join(folder, "pids"));
  } finally {
    await removeFolder(folder);
  }
}

/** The ids in `file`, when there are so many. */
async function pidsIn(file: string, count: number): Promise<number[]> {
  for (;;) {
    const text = await readFile(file, "utf8").catch(() => "");
    const pids = text.trim().split("\n").map(Number);
    if (text.endsWith("\n") && pids.length >= count) return pids;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

for (const { name, processes } of RUNTIMES) {
  test(`${name}: a server and its child are gone when the connection is closed`, limit, async () => {
    await withFile(async (file) => {
      const guard = new ProcessGuard(processes);
      const script = `${stubborn(file)} ${legacyServer()}; while :; do sleep 1; done`;
      const connection = createServerConnection(scriptEntry(script), hostOptions({ processes, guard }));
      const { closed } = await connection.open();
      const pids = await pidsIn(file, 2);
      assertEquals(pids.map(hasEnded), [false, false]);
      await Promise.all([connection.close(), connection.close()]);
      assertEquals([...pids.map(hasEnded), closed.aborted], [true, true, true]);
      assertEquals(connection.state(), { kind: "closed" });
      const error = await assertRejects(() => connection.open(), HostError, "the connection was closed");
      assertEquals(error.code, "SERVER_UNAVAILABLE");
      await guard.close();
    });
  });

  test(`${name}: a server and its child that hang at their start are gone, too`, limit, async () => {
    await withFile(async (file) => {
      const script = `${stubborn(file)} while :; do sleep 1; done`;
      const entry = scriptEntry(script, { startupTimeoutMs: 1_000, protocol: "legacy" });
      const connection = createServerConnection(entry, hostOptions({ processes }));
      const pids = pidsIn(file, 2);
      await assertRejects(() => connection.open(), HostError);
      await connection.close();
      assertEquals((await pids).map(hasEnded), [true, true]);
    });
  });

  test(`${name}: closed while it is being made, nothing of it is left`, limit, async () => {
    await withFile(async (file) => {
      const script = `${stubborn(file)} while :; do sleep 1; done`;
      const connection = createServerConnection(scriptEntry(script), hostOptions({ processes }));
      const opening = assertRejects(() => connection.open(), HostError, "the connection was closed");
      const pids = await pidsIn(file, 2);
      await connection.close();
      await opening;
      assertEquals(pids.map(hasEnded), [true, true]);
    });
  });

  test(
    `${name}: a child that a server leaves behind is ended with it, and holds nothing open`,
    limit,
    async () => {
      await withFile(async (file) => {
        const leave =
          `sh -c 'echo $$ >>${file}; exec sleep 600' & while ! [ -s ${file} ]; do sleep 0.05; done; exit 5`;
        const connection = createServerConnection(
          scriptEntry(legacyServer({ onCall: leave })),
          hostOptions({ processes }),
        );
        const { client, closed } = await connection.open();
        await assertRejects(() => client.callTool({ name: "echo" }));
        assertEquals(closed.aborted, true);
        await connection.close();
        assertEquals((await pidsIn(file, 1)).map(hasEnded), [true]);
      });
    },
  );
}
