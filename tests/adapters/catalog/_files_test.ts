import { assertEquals, assertRejects } from "@std/assert";
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import process from "node:process";
import { test } from "node:test";
import { pruneFolder, readSmallFile, replaceFile } from "../../../adapters/catalog/_files.ts";
import { inFolder } from "./_entries.ts";

const inMade = (body: (folder: string) => Promise<void>) =>
  inFolder(async (folder) => {
    await mkdir(folder, { recursive: true });
    await body(folder);
  });

test("a file is read whole, up to its bound in bytes", () =>
  inMade(async (folder) => {
    for (const text of ["", "x", "ä€😀\u0000", "x".repeat(200_000)]) {
      await writeFile(`${folder}/a`, text);
      const { size } = await stat(`${folder}/a`);
      assertEquals(await readSmallFile(`${folder}/a`, size), text);
      if (size > 0) assertEquals(await readSmallFile(`${folder}/a`, size - 1), null);
    }
  }));

test("a link, a folder and what is no UTF-8 are not read", () =>
  inMade(async (folder) => {
    await writeFile(`${folder}/a`, "text");
    await symlink("a", `${folder}/link`);
    await mkdir(`${folder}/folder`);
    assertEquals(await readSmallFile(`${folder}/link`, 99), null);
    assertEquals(await readSmallFile(`${folder}/folder`, 99), null);
    await assertRejects(() => readSmallFile(`${folder}/none`, 99));
    await writeFile(`${folder}/a`, new Uint8Array([0x22, 0xff, 0x22]));
    await assertRejects(() => readSmallFile(`${folder}/a`, 99));
  }));

test("a pipe is not waited for", { skip: process.platform === "win32" }, () =>
  inMade(async (folder) => {
    execFileSync("mkfifo", [`${folder}/pipe`]);
    assertEquals(await readSmallFile(`${folder}/pipe`, 99), null);
  }));

test("a file is put in place whole, for the user alone, and a link is replaced and not followed", () =>
  inMade(async (folder) => {
    await writeFile(`${folder}/precious`, "keep");
    await symlink("precious", `${folder}/a`);
    await replaceFile(folder, "a", "new");
    assertEquals(await readFile(`${folder}/a`, "utf8"), "new");
    assertEquals(await readFile(`${folder}/precious`, "utf8"), "keep");
    assertEquals((await stat(`${folder}/a`)).mode & 0o777, 0o600);
    assertEquals((await readdir(folder)).toSorted(), ["a", "precious"]);
  }));

test("what cannot be put in place leaves nothing behind", () =>
  inMade(async (folder) => {
    await mkdir(`${folder}/a/b`, { recursive: true });
    await assertRejects(() => replaceFile(folder, "a", "new"));
    assertEquals(await readdir(folder), ["a"]);
    await assertRejects(() => replaceFile(`${folder}/none`, "a", "new"));
  }));

test("many writers of one name: one of their texts is there, whole, at every moment", () =>
  inMade(async (folder) => {
    const texts = Array.from({ length: 12 }, (_, at) => String.fromCharCode(97 + at).repeat(20_000 + at));
    await replaceFile(folder, "a", texts[0] ?? "");
    let writing = true;
    const watch = (async () => {
      for (let reads = 0;; reads++) {
        const text = await readSmallFile(`${folder}/a`, 99_999); // null: replaced between two looks at it
        if (text !== null) assertEquals(texts.includes(text), true);
        if (!writing && reads > 0) return;
      }
    })();
    for (let round = 0; round < 5; round++) {
      await Promise.all(texts.map((text) => replaceFile(folder, "a", text)));
    }
    writing = false;
    await watch;
    assertEquals(await readdir(folder), ["a"]);
  }));

test("the oldest files go, the one that was written last and foreign ones stay", () =>
  inMade(async (folder) => {
    for (const [at, name] of ["1.json", "2.json", "3.json", "4.json", "note.txt"].entries()) {
      await writeFile(`${folder}/${name}`, "");
      await utimes(`${folder}/${name}`, 1000 + at, 1000 + at);
    }
    await utimes(`${folder}/1.json`, 1, 1); // a clock that was put back: the newest looks the oldest
    await pruneFolder(folder, { kept: "1.json", pattern: /^\d\.json$/, max: 2 });
    assertEquals((await readdir(folder)).toSorted(), ["1.json", "4.json", "note.txt"]);
    await pruneFolder(folder, { kept: "1.json", pattern: /^\d\.json$/, max: 2 });
    assertEquals((await readdir(folder)).length, 3);
  }));

test("a new file that a crash left behind goes after an hour, before or after", () =>
  inMade(async (folder) => {
    const id = crypto.randomUUID();
    const names = [
      `.1.json.${id}.new`,
      `.2.json.${id}.new`,
      `.3.json.${id}.new`,
      ".x.json.new",
      `.x.${id}.new`,
    ];
    for (const name of [...names, "1.json"]) await writeFile(`${folder}/${name}`, "");
    const now = (await stat(`${folder}/1.json`)).mtimeMs / 1000;
    for (const [at, age] of [[0, 7200], [1, -7200], [2, 60], [3, 7200], [4, 7200]] as const) {
      await utimes(`${folder}/${names[at]}`, now - age, now - age);
    }
    await pruneFolder(folder, { kept: "1.json", pattern: /^\d\.json$/, max: 9 });
    assertEquals((await readdir(folder)).toSorted(), [...names.slice(2), "1.json"].toSorted());
  }));
