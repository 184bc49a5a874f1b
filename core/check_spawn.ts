/**
 * What a runtime would alter, cut or search for instead of passing it on: found before anything is started.
 *
 * This file decides which requests no adapter starts, from the request alone and from the first bytes of the
 * program. The adapters read those bytes, start the program and map what the system then refuses
 * (`adapters/deno/_map_error.ts`, `adapters/node/_map_error.ts`).
 *
 * @module
 */

import { ProcessError, quote } from "./errors.ts";
import type { SpawnOptions, SpawnRequest } from "./ports/process.ts";

/** How many first bytes of a program {@linkcode lacksInterpreter} has to see. */
export const PROGRAM_HEAD_BYTES = 256;

/**
 * Refuses a request that cannot be started exactly as it is written. Checked in this order: the executable is
 * absolute; the directory is not empty; no text holds NUL or a lone surrogate; every environment name is one. Nothing
 * is looked up.
 *
 * @param windows Whether paths are read as Windows reads them.
 *
 * @throws {ProcessError} `PROGRAM_NOT_FOUND` when the executable is not an absolute path: `PATH` is never searched.
 * @throws {ProcessError} `DIRECTORY_NOT_FOUND` when the directory is an empty text.
 * @throws {ProcessError} `SPAWN_FAILED` when an argument, the directory or the environment cannot be passed on.
 */
export function checkSpawn(
  request: SpawnRequest,
  options: SpawnOptions,
  { windows }: { readonly windows: boolean },
): void {
  const { executable, args } = request;
  const absolute = windows ? /^([A-Za-z]:[\\/]|[\\/]{2})/.test(executable) : executable.startsWith("/");
  if (!absolute) {
    throw new ProcessError(
      "PROGRAM_NOT_FOUND",
      `Cannot start ${quote(executable)}: the path is not absolute, and PATH is not searched`,
    );
  }
  if (options.directory === "") {
    throw new ProcessError(
      "DIRECTORY_NOT_FOUND",
      `Cannot start ${quote(executable)}: the working directory is empty`,
    );
  }
  const fault = findFault(executable, "the path of the program") ??
    args.map((text, index) => findFault(text, `argument ${index + 1}`)).find((found) => found !== null) ??
    findFault(options.directory ?? "", "the working directory") ??
    findEnvironmentFault(options.environment);
  if (fault !== null) throw new ProcessError("SPAWN_FAILED", `Cannot start ${quote(executable)}: ${fault}`);
}

/**
 * Whether the system cannot execute a file that begins with `head`, and the C library would hand it to `/bin/sh`
 * instead: an empty file "succeeds" that way without having run anything. True for text that does not begin with
 * `#!`; every format that systems execute has a NUL byte near its beginning.
 *
 * @param head The first {@linkcode PROGRAM_HEAD_BYTES} bytes of the file, or all of a shorter one.
 */
export function lacksInterpreter(head: Uint8Array): boolean {
  return !(head[0] === 0x23 && head[1] === 0x21) && !head.includes(0);
}

/** What keeps `text` from being passed on as it is, or `null`. The text itself is not repeated. */
function findFault(text: string, place: string): string | null {
  if (text.includes("\0")) return `${place} holds a NUL character`;
  return text.isWellFormed() ? null : `${place} holds a lone surrogate`;
}

/** What is wrong with the environment, or `null`. No value is repeated. */
function findEnvironmentFault(environment: Readonly<Record<string, string>>): string | null {
  for (const [name, value] of Object.entries(environment)) {
    if (name === "" || name.includes("=")) return `${quote(name)} is no name for an environment variable`;
    const fault = findFault(name, "an environment name") ?? findFault(value, `the variable ${quote(name)}`);
    if (fault !== null) return fault;
  }
  return null;
}
