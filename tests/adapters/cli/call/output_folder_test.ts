import { assertEquals, assertRejects } from "@std/assert";
import { chmod, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { openOutputFolder } from "../../../../adapters/cli/call/output_folder.ts";
import { withFolders } from "../cli_process.ts";

const bytes = new TextEncoder().encode("new");

test("files are new ones, in the folder, which is made when it is not there", () =>
  withFolders(["a"], async (base = "") => {
    const path = join(base, "deep", "er");
    const folder = await openOutputFolder(path);
    const content = { mimeType: "image/png", fallback: "image" };
    const written = [await folder.write(content, bytes), await folder.write(content, bytes)];
    assertEquals(written, [join(path, "image.png"), join(path, "image-2.png")]);
    assertEquals(await folder.write({ uri: "x:/../../up", fallback: "r" }, bytes), join(path, "up"));
    assertEquals((await readdir(base)).sort(), ["deep"]);
  }));

test("what is there is neither overwritten nor written through", () =>
  withFolders(["out", "other"], async (out = "", other = "") => {
    await writeFile(join(out, "a"), "mine");
    await symlink(join(other, "b"), join(out, "b"));
    const folder = await openOutputFolder(out);
    assertEquals(await folder.write({ fallback: "a" }, bytes), join(out, "a-2"));
    assertEquals(await folder.write({ fallback: "b" }, bytes), join(out, "b-2"));
    assertEquals([await readFile(join(out, "a"), "utf8"), await readdir(other)], ["mine", []]);
  }));

test("several calls at once never meet in a file", () =>
  withFolders(["out"], async (out = "") => {
    const folder = await openOutputFolder(out);
    const paths = await Promise.all(Array.from({ length: 20 }, () => folder.write({ fallback: "x" }, bytes)));
    assertEquals(new Set(paths).size, 20);
  }));

test("what is no folder is refused before anything is done", () =>
  withFolders(["out"], async (out = "") => {
    await writeFile(join(out, "file"), "");
    await chmod(join(out, "file"), 0o600);
    await assertRejects(() => openOutputFolder(join(out, "file")), UsageError, "--output takes a folder");
    await assertRejects(() => openOutputFolder(join(out, "file", "below")), UsageError);
  }));
