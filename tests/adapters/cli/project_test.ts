import { assertEquals, assertRejects } from "@std/assert";
import { symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { test } from "node:test";
import { UsageError } from "../../../adapters/cli/exit_code.ts";
import { readFlags } from "../../../adapters/cli/flags.ts";
import { codexHome, projectOf } from "../../../adapters/cli/project.ts";
import { runtimeOf, withFolders } from "./cli_process.ts";

const cwd = (...args: readonly string[]) => projectOf(readFlags(args, { values: ["cwd"] }));

test("the project is a directory by its real path", async () => {
  await withFolders(["project"], async (project = "") => {
    await symlink(project, `${project}-link`);
    assertEquals(await cwd("--cwd", `${project}-link`), project);
    assertEquals(await cwd("--cwd", relative(Deno.cwd(), project)), project);
    assertEquals(await cwd(), Deno.realPathSync("."));
    await writeFile(join(project, "file"), "");
    for (const name of [join(project, "missing"), join(project, "file")]) {
      const { message } = await assertRejects(() => cwd("--cwd", name), UsageError);
      assertEquals(message, `--cwd takes a directory that exists, and ${JSON.stringify(name)} does not.`);
    }
  });
});

test("CODEX_HOME is found by its real path, whether it exists or not", async () => {
  const home = (CODEX_HOME: string) => codexHome(runtimeOf({ environment: { CODEX_HOME } }));
  await withFolders(["project", "elsewhere"], async (project = "", elsewhere = "") => {
    await symlink(project, join(elsewhere, "link"));
    assertEquals(await home(join(elsewhere, "link")), project);
    assertEquals(await home(join(elsewhere, "link", "a", "b")), join(project, "a", "b"));
    assertEquals(await home(relative(Deno.cwd(), project)), project);
    assertEquals(await home(join(elsewhere, "..", "project")), project);
    assertEquals(await home("/missing-at-the-root/x"), "/missing-at-the-root/x");
    assertEquals(await home(""), undefined);
    assertEquals(await codexHome(runtimeOf({ environment: {} })), undefined);
  });
});
