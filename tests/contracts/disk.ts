/**
 * What every disk port does. Registers the cases for one implementation.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { chmod, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { test } from "node:test";
import type { DiskPort } from "../../core/ports/disk.ts";

/** Registers the contract of the disk port for `disk`, each case under `name`. */
export function testDiskPort(name: string, disk: DiskPort): void {
  const inFolder = async (run: (folder: string) => Promise<void>): Promise<void> => {
    const folder = await realpath(await mkdtemp(`${tmpdir()}/disk-contract-`));
    try {
      await run(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test(`${name}: it is this process's`, () => {
    assertEquals(disk.directory(), process.cwd());
    assertEquals(disk.userId(), process.getuid?.() ?? null);
    const expected = { win32: "windows", darwin: "darwin" }[process.platform as string] ?? "linux";
    assertEquals(disk.platform, expected);
  });

  test(`${name}: a link is what it leads to, a file has its size, mode and owner`, () =>
    inFolder(async (folder) => {
      await writeFile(`${folder}/a`, "ä");
      await chmod(`${folder}/a`, 0o1642);
      await symlink(`${folder}/a`, `${folder}/b`);
      const { mode, uid, gid } = await stat(`${folder}/a`);
      assertEquals(mode & 0o7777, 0o1642);
      assertEquals(await disk.facts(`${folder}/b`), { kind: "file", size: 2, mode, uid, gid });
      assertEquals(await disk.realPath(`${folder}/b`), `${folder}/a`);
      assertEquals([...await disk.read(`${folder}/b`)], [0xc3, 0xa4]);
    }));

  test(`${name}: a folder has names`, () =>
    inFolder(async (folder) => {
      await mkdir(`${folder}/a`);
      await writeFile(`${folder}/b`, "");
      assertEquals((await disk.list(folder)).toSorted(), ["a", "b"]);
      assertEquals((await disk.facts(folder)).kind, "directory");
      assertEquals((await disk.facts("/dev/null")).kind, "other");
    }));

  test(`${name}: what fails says why, by the system's code`, () =>
    inFolder(async (folder) => {
      await writeFile(`${folder}/file`, "");
      await symlink("loop", `${folder}/loop`);
      const rows = [["none", "ENOENT"], ["file/x", "ENOTDIR"], ["loop", "ELOOP"]] as const;
      for (const [path, code] of rows) {
        for (const ask of [disk.facts, disk.realPath, disk.read, disk.list]) {
          const error = await assertRejects(async () => await ask(`${folder}/${path}`), Error);
          assertEquals(Reflect.get(error, "code"), code, path);
        }
      }
    }));
}
