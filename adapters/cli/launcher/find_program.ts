/**
 * Finding the program that a person named for a server: the process port starts absolute paths alone. That is the
 * user's command, like one typed at a prompt; a launcher is never looked for this way.
 *
 * @module
 */

import { isAbsolute, join, resolve } from "node:path";
import type { SpawnRequest } from "../../../core/ports/process.ts";
import { isProgram } from "../../mcp/host/connect/stdio/find_program.ts";
import { UsageError } from "../program/exit_code.ts";
import type { CliRuntime } from "../program/runtime.ts";

/**
 * A command line as a request to start it: a name with a slash is a path from here, any other is looked for in the
 * absolute entries of `PATH`. Throws a `UsageError` when there is no such program.
 */
export async function findProgram(
  { environment, platform }: Pick<CliRuntime, "environment" | "platform">,
  [name = "", ...args]: readonly string[],
): Promise<SpawnRequest> {
  const windows = platform === "windows";
  if (name.includes("/") || windows && name.includes("\\")) return { executable: resolve(name), args };
  const folders = (environment["PATH"] ?? "").split(windows ? ";" : ":").filter((folder) =>
    isAbsolute(folder)
  );
  const names = windows && !/\.exe$/i.test(name) ? [`${name}.exe`] : [name];
  for (const path of folders.flatMap((folder) => names.map((file) => join(folder, file)))) {
    if (await isProgram(path)) return { executable: path, args };
  }
  throw new UsageError(`There is no program ${JSON.stringify(name)} on PATH.`);
}
