import { assertEquals, assertRejects } from "@std/assert";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { programNamed } from "../../../../adapters/cli/program/server_program.ts";
import { withFolders } from "../cli_process.ts";

const platform = "linux" as const;

test("a name is looked for on PATH, in its order, among what can be started", async () => {
  await withFolders(
    ["plain", "folder", "folder/tool", "first", "second"],
    async (plain, folder, _, first, second) => {
      for (const place of [plain!, first!, second!]) await writeFile(join(place, "tool"), "#!/bin/sh\n");
      for (const place of [first!, second!]) await chmod(join(place, "tool"), 0o755);
      const PATH = ["", ".", "relative", plain, folder, "/nowhere", first, second].join(":");
      assertEquals(await programNamed({ environment: { PATH }, platform }, ["tool", "-x", ""]), {
        executable: join(first!, "tool"),
        args: ["-x", ""],
      });
    },
  );
});

test("a name with a slash is a path from here, whether it is there or not", async () => {
  const find = async (name: string): Promise<string> =>
    (await programNamed({ environment: { PATH: "/bin" }, platform }, [name])).executable;
  assertEquals(await find("/bin/sh"), "/bin/sh");
  assertEquals(await find("./server"), join(process.cwd(), "server"));
  assertEquals(await find("build/server"), join(process.cwd(), "build/server"));
});

test("a name that is nowhere is a usage error", async () => {
  for (const environment of [{}, { PATH: "" }, { PATH: "/nowhere" }]) {
    await assertRejects(
      () => programNamed({ environment, platform }, ["tool"]),
      UsageError,
      '"tool" is not on PATH.',
    );
  }
});
