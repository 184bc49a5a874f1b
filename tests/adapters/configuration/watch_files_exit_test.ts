import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertEquals } from "@std/assert";
import { put, withFolder } from "./folder.ts";

/** A bundle of the tests, as it runs on Node, does not hold the program. */
const onDeno = "Deno" in globalThis;

test("watchFiles: a program that watches comes to its end", { skip: !onDeno }, async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "config.toml"), "a");
    const program = fileURLToPath(new URL("./watching_program.ts", import.meta.url));
    const args = ["run", "--quiet", "--allow-read", "--allow-write", "--no-lock", program, path];
    const output = await new Promise<string>((resolve, reject) => {
      execFile(
        process.execPath,
        args,
        { timeout: 60_000 },
        (error, stdout) => error === null ? resolve(stdout) : reject(error),
      );
    });
    assertEquals(output, "the end\n");
  });
});
