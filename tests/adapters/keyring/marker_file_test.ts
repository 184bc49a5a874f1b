import { assertEquals } from "@std/assert";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { test } from "node:test";
import {
  changeMarkerFile,
  findMarkerFile,
  readMarkerFile,
  removeMarkerFile,
  writeMarkerFile,
} from "../../../adapters/keyring/marker_file.ts";
import { writeMarker } from "../../../core/enterprise/grant/marker.ts";
import { refusedCode } from "../../contracts/refused.ts";

const MARKER = { current: null, generation: "12".repeat(16), revision: 3 };

const SIGNED_IN = { ...MARKER, current: "ab".repeat(32) };

async function inFolder(body: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(`${tmpdir()}/marker-`);
  try {
    await body(`${folder}/m.json`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("what is written is read, whole and by the user alone", () =>
  inFolder(async (path) => {
    assertEquals(await readMarkerFile(path), { text: null, marker: null });
    await writeFile(`${path}.new`, "left behind by a crash, and longer than what is written now".repeat(9));
    await writeMarkerFile(path, writeMarker(MARKER));
    assertEquals(await readMarkerFile(path), { text: writeMarker(MARKER), marker: MARKER });
    assertEquals((await stat(path)).mode & 0o777, 0o600);
    assertEquals(await readdir(path.replace("/m.json", "")), ["m.json"]);
    await removeMarkerFile(path);
    await removeMarkerFile(path);
    assertEquals((await readMarkerFile(path)).marker, null);
  }));

test("what is no marker, or cannot be read, is MARKER_MALFORMED", () =>
  inFolder(async (path) => {
    for (const text of ["", "{", "null", writeMarker(MARKER).slice(0, -2)]) {
      await writeFile(path, text);
      assertEquals(await refusedCode(() => readMarkerFile(path)), "MARKER_MALFORMED");
      assertEquals(await findMarkerFile(path), { marker: null, damaged: true });
    }
    await writeMarkerFile(path, writeMarker(MARKER));
    assertEquals(await findMarkerFile(path), { marker: MARKER, damaged: false });
    await rm(path);
    await mkdir(path);
    assertEquals(await refusedCode(() => readMarkerFile(path)), "MARKER_MALFORMED");
  }));

test("a marker that cannot be written is taken away, so that it is a change all the same", () =>
  inFolder(async (path) => {
    await writeMarkerFile(path, writeMarker(MARKER));
    await mkdir(`${path}.new`);
    assertEquals(await refusedCode(() => writeMarkerFile(path, "x")), "MARKER_MALFORMED");
    assertEquals(await readFile(path, "utf8"), writeMarker(MARKER));
    await changeMarkerFile(path, SIGNED_IN);
    assertEquals((await readMarkerFile(path)).text, null);
    await mkdir(path);
    assertEquals(await refusedCode(() => changeMarkerFile(path, SIGNED_IN)), "MARKER_MALFORMED");
  }));

test("one that says what is void takes the place of what is in the file, and is never taken away", () =>
  inFolder(async (path) => {
    await writeMarkerFile(path, writeMarker(SIGNED_IN));
    await mkdir(`${path}.new`);
    for (const more of [{ voided: [SIGNED_IN.current] }, { only: [] }, { current: null }]) {
      await changeMarkerFile(path, { ...SIGNED_IN, ...more });
      assertEquals((await readMarkerFile(path)).marker, { ...SIGNED_IN, ...more });
    }
    await rm(path);
    await mkdir(path);
    assertEquals(await refusedCode(() => changeMarkerFile(path, MARKER)), "MARKER_MALFORMED");
  }));
