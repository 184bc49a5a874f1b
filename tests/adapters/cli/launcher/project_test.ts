import { assertEquals, assertRejects } from "@std/assert";
import { symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { test } from "node:test";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { readFlags } from "../../../../adapters/cli/program/flags.ts";
import { projectOf } from "../../../../adapters/cli/launcher/project.ts";
import { withFolders } from "../cli_process.ts";

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
