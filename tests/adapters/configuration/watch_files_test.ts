import { mkdir, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { watchFiles, type WatchOptions } from "../../../adapters/configuration/watch_files.ts";
import { put, until, withFolder } from "./folder.ts";

interface Watched {
  readonly path: string;
  readonly folder: string;
  changes(): number;
}

/** Runs `body` while a file is watched that held `a` before. */
async function watching(
  body: (watched: Watched) => Promise<void>,
  options: Partial<WatchOptions> & { readonly name?: string } = {},
): Promise<void> {
  await withFolder(async (folder) => {
    const path = join(folder, options.name ?? "config.toml");
    if (options.name === undefined) await put(path, "a");
    let changes = 0;
    const seen = new Map<string, string>();
    const watch = watchFiles(() => [path], {
      seen,
      onChange: () => void changes++,
      settleMs: 30,
      ...options,
    });
    try {
      await until(() => seen.has(path));
      await body({ path, folder, changes: () => changes });
    } finally {
      watch.close();
    }
  });
}

/** Long enough for a change to be noticed. */
const A_WHILE = 400;

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, A_WHILE));
}

test("watchFiles: written, replaced as editors do, taken away and there again", async () => {
  await watching(async ({ path, folder, changes }) => {
    await writeFile(path, "b");
    await until(() => changes() === 1);
    await writeFile(join(folder, "new"), "c");
    await rename(join(folder, "new"), path);
    await until(() => changes() === 2);
    await unlink(path);
    await until(() => changes() === 3);
    await writeFile(path, "d");
    await until(() => changes() === 4);
  });
});

test("watchFiles: what leaves the content as it was is no change", async () => {
  await watching(async ({ path, folder, changes }) => {
    await writeFile(path, "a");
    await writeFile(join(folder, "other"), "x");
    await rename(path, join(folder, "aside"));
    await writeFile(path, "a");
    await pause();
    await writeFile(path, "b");
    await until(() => changes() > 0);
    await pause();
    assertEquals(changes(), 1);
  }, { settleMs: 500 });
});

test("watchFiles: many writes in a row are few changes", async () => {
  await watching(async ({ path, changes }) => {
    for (let n = 0; n < 40; n++) await writeFile(path, `text ${n}`);
    await until(() => changes() > 0);
    await pause();
    // one, unless the machine stood still between two writes
    assertEquals(changes() <= 3, true);
  }, { settleMs: 150 });
});

test("watchFiles: a change between the last load and the watching is told", async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "config.toml"), "b");
    let changes = 0;
    const seen = new Map([[path, "the fingerprint of another text"]]);
    const watch = watchFiles(() => [path], { seen, onChange: () => void changes++, settleMs: 30 });
    try {
      await until(() => changes === 1);
    } finally {
      watch.close();
    }
  });
});

test("watchFiles: the target of a link, and another target", async () => {
  await withFolder(async (folder) => {
    const first = await put(join(folder, "one/config.toml"), "a");
    const second = await put(join(folder, "two/config.toml"), "b");
    await mkdir(join(folder, "links"));
    const path = join(folder, "links/config.toml");
    await symlink(first, path);
    let changes = 0;
    const seen = new Map<string, string>();
    const watch = watchFiles(() => [path], {
      seen,
      onChange: () => void changes++,
      settleMs: 30,
      pollMs: 60_000,
    });
    try {
      await until(() => seen.has(path));
      await writeFile(first, "c");
      await until(() => changes === 1);
      await symlink(second, `${path}.new`);
      await rename(`${path}.new`, path);
      await until(() => changes === 2);
      await writeFile(second, "d");
      await until(() => changes === 3);
    } finally {
      watch.close();
    }
  });
});

test("watchFiles: a folder that comes later, goes and comes again is looked for", async () => {
  await watching(async ({ path, folder, changes }) => {
    await put(path, "a");
    await until(() => changes() === 1);
    await rm(join(folder, "later"), { recursive: true });
    await until(() => changes() === 2);
    await put(path, "b");
    await until(() => changes() === 3);
    await writeFile(path, "c");
    await until(() => changes() === 4);
  }, { name: "later/config.toml", pollMs: 200 });
});

test("watchFiles: a file that joins the watched ones later counts as changed when it is there", async () => {
  await withFolder(async (folder) => {
    const first = await put(join(folder, "a"), "a");
    const second = await put(join(folder, "b"), "b");
    let paths = [first];
    let changes = 0;
    const seen = new Map<string, string>();
    const watch = watchFiles(() => paths, {
      seen,
      onChange: () => void changes++,
      settleMs: 30,
      pollMs: 100,
    });
    try {
      await until(() => seen.has(first));
      paths = [first, second, join(folder, "none")];
      await until(() => changes === 1);
    } finally {
      watch.close();
    }
  });
});

test("watchFiles: nothing comes after it was closed", async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "config.toml"), "a");
    let changes = 0;
    const seen = new Map<string, string>();
    const watch = watchFiles(() => [path], {
      seen,
      onChange: () => void changes++,
      settleMs: 30,
      pollMs: 50,
    });
    await until(() => seen.has(path));
    watch.close();
    await writeFile(path, "b");
    await pause();
    assertEquals(changes, 0);
  });
});
