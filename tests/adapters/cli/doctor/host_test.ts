import { assert, assertEquals, assertMatch } from "@std/assert";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { checkArgumentLimit, checkEnvironment } from "../../../../adapters/cli/doctor/host.ts";
import { LINUX_ARGUMENT_BYTES } from "../../../../core/sandbox/limits.ts";
import { runtimeOf, withFolders } from "../cli_process.ts";

test("CODEX_HOME in the project fails, whatever leads there", async () => {
  await withFolders(["project", "elsewhere"], async (project = "", elsewhere = "") => {
    await mkdir(join(project, "home"));
    await symlink(project, join(elsewhere, "link"));
    for (
      const CODEX_HOME of [
        project,
        join(project, "home"),
        join(project, "new"),
        join(elsewhere, "link", "home"),
      ]
    ) {
      const { id, status, found, fix } = await checkEnvironment(
        runtimeOf({ environment: { CODEX_HOME } }),
        project,
      );
      assertEquals([id, status, typeof fix], ["environment", "failed", "string"]);
      assertMatch(found, /lies in the project/);
    }
    for (
      const environment of [
        { CODEX_HOME: elsewhere },
        { CODEX_HOME: `${project}-other` },
        { CODEX_HOME: "" },
        {},
      ]
    ) {
      const { status, fix } = await checkEnvironment(runtimeOf({ environment }), project);
      assertEquals([status, fix], ["ok", undefined]);
    }
  });
});

test("what a launcher gets is named, what is dropped as a hook too, and no value is shown", async () => {
  const environment = {
    PATH: "/usr/bin",
    HOME: "/secret",
    TOKEN: "secret",
    LD_PRELOAD: "/secret.so",
    BASH_ENV: "secret",
  };
  const { status, found } = await checkEnvironment(runtimeOf({ environment }), "/project");
  assertEquals([status, found], ["ok", "a launcher gets HOME, PATH; dropped as hooks: BASH_ENV, LD_PRELOAD"]);
  const empty = await checkEnvironment(runtimeOf({ environment: {} }), "/project");
  assertEquals(empty.found, "a launcher gets nothing");
});

test("the limit of an argument is tried", async () => {
  const { id, status, found } = await checkArgumentLimit(runtimeOf());
  assertEquals([id, status], ["argument-limit", "ok"]);
  assert(found.includes(String(LINUX_ARGUMENT_BYTES)));
});

test("a system that takes less fails, and other systems are not measured", async () => {
  const refuse = { spawn: () => Promise.reject(new Error("E2BIG")) };
  const { status, fix } = await checkArgumentLimit(runtimeOf({ processes: refuse }));
  assertEquals([status, typeof fix], ["failed", "string"]);
  for (const platform of ["darwin", "windows"] as const) {
    assertEquals((await checkArgumentLimit(runtimeOf({ platform, processes: refuse }))).status, "skipped");
  }
});
