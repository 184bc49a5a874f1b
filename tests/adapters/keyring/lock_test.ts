import { assertEquals } from "@std/assert";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { test } from "node:test";
import { acquireLock, type LockModule } from "../../../adapters/keyring/lock.ts";
import { refused, refusedCode } from "../../contracts/refused.ts";
import { loadLock } from "./records.ts";

const { signal } = new AbortController();

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(`${tmpdir()}/lock-`);
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const take = (folder: string, seconds = 0.1, name = "abc"): Promise<() => void> =>
  acquireLock({ folder, name, seconds, signal, load: loadLock });

test("one has it at a time, and another name is another lock", () =>
  inFolder(async (folder) => {
    const release = await take(folder);
    assertEquals(await refusedCode(() => take(folder)), "LOCK_TIMEOUT");
    (await take(folder, 0.1, "abd"))();
    release();
    (await take(folder))();
    assertEquals(await readdir(folder), []);
  }));

test("whoever waits gets it as soon as it is free, or gives up", () =>
  inFolder(async (folder) => {
    const release = await take(folder);
    const caller = new AbortController();
    const given = refusedCode(() =>
      acquireLock({ folder, name: "abc", seconds: 60, signal: caller.signal, load: loadLock })
    );
    const waiting = take(folder, 60);
    caller.abort();
    assertEquals(await given, "LOCK_TIMEOUT");
    release();
    (await waiting)();
  }));

test("the file of a process that is dead, or whose number another one has, is no lock", () =>
  inFolder(async (folder) => {
    await writeFile(`${folder}/abc#999999.lock`, "Mon Nov 30 17:00:00 2026");
    await writeFile(`${folder}/abc#${process.ppid}.lock`, "Mon Nov 30 17:00:07 2020");
    (await take(folder, 5))();
    assertEquals(await readdir(folder), []);
  }));

test("a folder or a package that is not there is told", async () => {
  const { code, message } = await refused(() => take("/proc/nowhere"));
  assertEquals([code, message.includes("it cannot hold a lock")], ["MARKER_MALFORMED", true]);
  const load = (): Promise<LockModule> => Promise.reject(new Error("not found"));
  const missing = await refused(() => acquireLock({ folder: "/tmp", name: "abc", seconds: 1, signal, load }));
  assertEquals([missing.code, missing.message.includes("is not installed")], ["MARKER_MALFORMED", true]);
});
