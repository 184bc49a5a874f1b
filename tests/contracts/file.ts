/**
 * What every file port does. Registers the cases for one implementation.
 *
 * @module
 */

import { assertEquals, assertNotEquals } from "@std/assert";
import { appendFile, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { test } from "node:test";
import type { FilePort } from "../../core/ports/file.ts";

/** Registers the contract of the file port for `port`, each case under `name`. */
export function testFilePort(name: string, port: FilePort): void {
  const inFolder = async (run: (folder: string) => Promise<void>): Promise<void> => {
    const folder = await realpath(await mkdtemp(`${tmpdir()}/file-contract-`));
    try {
      await run(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test(`${name}: an untouched file stays the same`, () =>
    inFolder(async (folder) => {
      await writeFile(`${folder}/a`, "one");
      const first = await port.identify(`${folder}/a`);
      assertEquals(first?.kind, "file");
      assertEquals(first?.realPath, `${folder}/a`);
      assertEquals(await port.identify(`${folder}/a`), first);
    }));

  test(`${name}: a link is what it leads to`, () =>
    inFolder(async (folder) => {
      await writeFile(`${folder}/a`, "one");
      await symlink(`${folder}/a`, `${folder}/b`);
      await symlink(`${folder}/b`, `${folder}/c`);
      assertEquals(await port.identify(`${folder}/c`), await port.identify(`${folder}/a`));
    }));

  test(`${name}: content that grew, was replaced or only touched is another`, () =>
    inFolder(async (folder) => {
      await writeFile(`${folder}/a`, "one");
      const seen = [(await port.identify(`${folder}/a`))?.fingerprint];
      await appendFile(`${folder}/a`, "!");
      seen.push((await port.identify(`${folder}/a`))?.fingerprint);
      await writeFile(`${folder}/b`, "two!");
      await rename(`${folder}/b`, `${folder}/a`);
      seen.push((await port.identify(`${folder}/a`))?.fingerprint);
      await utimes(`${folder}/a`, 1_000_000, 1_000_000);
      seen.push((await port.identify(`${folder}/a`))?.fingerprint);
      assertEquals(new Set(seen).size, 4);
    }));

  test(`${name}: folders and devices are told from files`, () =>
    inFolder(async (folder) => {
      assertEquals((await port.identify(folder))?.kind, "directory");
      assertEquals((await port.identify("/dev/null"))?.kind, "other");
      assertNotEquals((await port.identify(folder))?.fingerprint, (await port.identify("/"))?.fingerprint);
    }));

  test(`${name}: what is not there is null`, () =>
    inFolder(async (folder) => {
      await symlink(`${folder}/nowhere`, `${folder}/dangling`);
      await symlink(`${folder}/loop`, `${folder}/loop`);
      await writeFile(`${folder}/a`, "");
      const paths = ["absent", "dangling", "loop", "a/below", "x".repeat(5000), "a\0"];
      for (const path of paths) assertEquals(await port.identify(`${folder}/${path}`), null);
      assertEquals(await port.identify(""), null);
    }));
}
