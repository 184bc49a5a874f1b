import { assertEquals } from "@std/assert";
import { chmod, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "node:test";
import { catalogFolder, makeCatalogFolder } from "../../../adapters/catalog/folder.ts";
import { inFolder } from "./_entries.ts";

test("the folder is where the platform keeps what may be lost", () => {
  const at = (platform: "linux" | "darwin" | "windows" | "other", variables: Record<string, string>) =>
    catalogFolder({ platform, variable: (name) => variables[name] });
  const home = { HOME: "/home/me", LOCALAPPDATA: "C:\\Users\\me\\AppData\\Local" };
  assertEquals(at("linux", home), "/home/me/.cache/codex-mcp/catalog");
  assertEquals(at("other", home), "/home/me/.cache/codex-mcp/catalog");
  assertEquals(at("linux", { ...home, XDG_CACHE_HOME: "/c" }), "/c/codex-mcp/catalog");
  assertEquals(at("linux", { ...home, XDG_CACHE_HOME: "c" }), "/home/me/.cache/codex-mcp/catalog");
  assertEquals(at("linux", { ...home, XDG_CACHE_HOME: "" }), "/home/me/.cache/codex-mcp/catalog");
  assertEquals(at("darwin", { ...home, XDG_CACHE_HOME: "/c" }), "/home/me/Library/Caches/codex-mcp/catalog");
  assertEquals(at("windows", home), "C:\\Users\\me\\AppData\\Local\\codex-mcp\\catalog");
  assertEquals(at("windows", { LOCALAPPDATA: "\\\\server\\share" }), "\\\\server\\share\\codex-mcp\\catalog");
  assertEquals([at("linux", {}), at("darwin", { HOME: "me" }), at("windows", { LOCALAPPDATA: "x" })], [
    null,
    null,
    null,
  ]);
});

test("the folder is made for the user alone, with those above it", () =>
  inFolder(async (folder) => {
    assertEquals(await makeCatalogFolder(folder), true);
    const modes = await Promise.all(
      [folder, dirname(folder)].map(async (path) => (await stat(path)).mode & 0o777),
    );
    assertEquals(modes, [0o700, 0o700]);
    await chmod(folder, 0o777);
    assertEquals(await makeCatalogFolder(folder), true);
    assertEquals((await stat(folder)).mode & 0o777, 0o700, "what others were allowed is taken away");
  }));

test("a file, a link and a place below a file are no folder", () =>
  inFolder(async (folder) => {
    await mkdir(dirname(folder), { recursive: true });
    await writeFile(`${dirname(folder)}/file`, "");
    await mkdir(`${dirname(folder)}/real`, { mode: 0o755 });
    await symlink("real", `${dirname(folder)}/link`);
    for (const name of ["file", "file/below", "link"]) {
      assertEquals(await makeCatalogFolder(`${dirname(folder)}/${name}`), false, name);
    }
    assertEquals(
      (await stat(`${dirname(folder)}/real`)).mode & 0o777,
      0o755,
      "nor is where a link leads touched",
    );
  }));
