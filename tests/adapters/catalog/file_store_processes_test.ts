import { assert, assertEquals } from "@std/assert";
import { type ChildProcess, spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createFileCatalogStore } from "../../../adapters/catalog/file_store.ts";
import type { CatalogTrouble } from "../../../adapters/catalog/trouble.ts";
import { inFolder, keyOf } from "./_entries.ts";

const ENTRIES = 5;
const NAMES = ["a", "b", "c"];
const onDeno = "Deno" in globalThis; // which runs the source of the other process as it is

/** Starts a process that writes catalogs, and waits until it does. */
async function startWriter(folder: string, name: string): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("./_writer.ts", import.meta.url));
  const config = fileURLToPath(new URL("../../../deno.json", import.meta.url));
  const args = ["run", "-A", "--no-check", "--config", config, script, folder, name, String(ENTRIES)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", () => reject(new Error("the writer ended")));
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}

test("processes that write at once, and are killed while they do, never show half a catalog", {
  skip: !onDeno,
}, () =>
  inFolder(async (folder) => {
    const troubles: CatalogTrouble[] = [];
    const store = createFileCatalogStore({ folder, report: (trouble) => troubles.push(trouble) });
    const keys = await Promise.all(Array.from({ length: 7 }, (_, at) => keyOf(String(at))));
    const writers = await Promise.all(NAMES.map((name) => startWriter(folder, name)));
    const seen = new Set<string>();
    try {
      for (let round = 0; round < 600 || seen.size < NAMES.length && round < 20_000; round++) {
        const entry = await store.read(keys[round % keys.length] ?? keys[0]!);
        if (entry === null) continue; // dropped, or replaced while it was looked at
        const tool = entry.tools[0];
        assert(tool !== undefined && tool["description"] === tool.name.repeat(20_000));
        seen.add(tool.name);
      }
    } finally {
      await Promise.all(writers.map(kill));
    }
    assertEquals([...seen].toSorted(), NAMES);
    const whole = (await readdir(folder)).filter((name) => !name.startsWith("."));
    // one more for each that was killed between writing and taking away
    assert(whole.length <= ENTRIES + NAMES.length, `${whole.length} files`);
    for (const key of keys) await store.read(key);
    assertEquals(troubles, []);
  }));
