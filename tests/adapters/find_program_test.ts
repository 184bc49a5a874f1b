import { assertEquals } from "@std/assert";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findProgram } from "../../adapters/find_program.ts";
import type { Platform } from "../../core/sandbox/path.ts";

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "find-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function program(path: string): Promise<void> {
  await writeFile(path, "#!/bin/sh\n");
  await chmod(path, 0o755);
}

test("a name is looked for in the absolute entries of the server's own PATH, in order", async () => {
  await withFolder(async (folder) => {
    for (const name of ["a", "b", "c"]) await mkdir(join(folder, name));
    await writeFile(join(folder, "a", "tool"), "not executable");
    await mkdir(join(folder, "b", "tool"));
    await program(join(folder, "c", "tool"));
    const place = { directory: folder, platform: "linux" as Platform };
    const PATH = `.::c:${folder}/missing:${folder}/a:${folder}/b:${folder}/c`;
    assertEquals(await findProgram("tool", { ...place, environment: { PATH } }), {
      path: join(folder, "c", "tool"),
    });
    for (const environment of [{ PATH: "c" }, { PATH: "" }, {}, { Path: `${folder}/c` }]) {
      assertEquals(await findProgram("tool", { ...place, environment }), { flaw: "is not on PATH" });
    }
  });
});

test("a path counts from the server's directory, and is left to the system", async () => {
  const place = { environment: { PATH: "/bin" }, directory: "/srv/app", platform: "linux" as Platform };
  assertEquals(await findProgram("./bin/server", place), { path: "/srv/app/bin/server" });
  assertEquals(await findProgram("../server", place), { path: "/srv/server" });
  assertEquals(await findProgram("/opt/server", place), { path: "/opt/server" });
});

test("what is no name is said to be none", async () => {
  const place = { environment: { PATH: "/bin" }, directory: "/", platform: "linux" as Platform };
  for (const command of ["", "a\0b"]) {
    assertEquals(await findProgram(command, place), { flaw: "is not the name of a program" });
  }
});

test("on Windows endings may be left out, and a script is named and not started", async () => {
  await withFolder(async (folder) => {
    await program(join(folder, "tool.exe"));
    await program(join(folder, "npx.cmd"));
    const place = { environment: { Path: folder }, directory: folder, platform: "windows" as Platform };
    assertEquals(await findProgram("tool", place), { path: join(folder, "tool.exe") });
    assertEquals(await findProgram("tool.exe", place), { path: join(folder, "tool.exe") });
    for (const command of ["npx", "npx.cmd", `${folder}/npx.cmd`]) {
      assertEquals(
        (await findProgram(command, place)).flaw?.startsWith("is a script, which takes a shell"),
        true,
      );
    }
  });
});
