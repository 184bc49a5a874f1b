import { assertEquals } from "@std/assert";
import { symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { test } from "node:test";
import { codexHome, isCodexHomeWritable } from "../../../../adapters/cli/launcher/codex_home.ts";
import { runtimeOf, withFolders } from "../cli_process.ts";

test("CODEX_HOME is found by its real path, whether it exists or not", async () => {
  const home = (CODEX_HOME: string) => codexHome(runtimeOf({ environment: { CODEX_HOME } }));
  await withFolders(["project", "elsewhere"], async (project = "", elsewhere = "") => {
    await symlink(project, join(elsewhere, "link"));
    assertEquals(await home(join(elsewhere, "link")), project);
    assertEquals(await home(join(elsewhere, "link", "a", "b")), join(project, "a", "b"));
    assertEquals(await home(relative(Deno.cwd(), project)), project);
    assertEquals(await home(join(elsewhere, "..", "project")), project);
    assertEquals(await home("/missing-at-the-root/x"), "/missing-at-the-root/x");
    const inHome = { HOME: join(elsewhere, "link") };
    assertEquals(await codexHome(runtimeOf({ environment: inHome })), join(project, ".codex"));
    assertEquals(
      await codexHome(runtimeOf({ environment: { ...inHome, CODEX_HOME: "" } })),
      join(project, ".codex"),
    );
  });
});

test("a home that nobody named counts in the workspace alone, where Codex keeps an existing one", async () => {
  await withFolders(["project", "project/.codex", "bare"], async (project = "", _home = "", bare = "") => {
    const writable = async (HOME: string, workspace: string | null, CODEX_HOME = ""): Promise<boolean> => {
      const runtime = runtimeOf({ environment: { HOME, CODEX_HOME } });
      const above = join(project, "..");
      return await isCodexHomeWritable(runtime, { workspace, roots: [above] });
    };
    assertEquals(await writable(project, project), false, "kept read-only");
    assertEquals(await writable(bare, bare), true, "a command could make it");
    assertEquals(await writable(join(project, "home"), project), true);
    assertEquals(await writable(bare, null), false, "not in the workspace");
    assertEquals(
      await writable(bare, null, join(project, ".codex")),
      true,
      "named, and under a writable root",
    );
  });
});
