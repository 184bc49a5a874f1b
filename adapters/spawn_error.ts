/**
 * Why the system did not start a program, as an error of this package.
 *
 * The code is decided from the system's own error code and from what lies at the two paths, because a missing program,
 * a missing directory and a missing interpreter are all `ENOENT`. What a runtime's error may carry is the runtime's
 * concern: `adapters/deno/_map_error.ts`, `adapters/node/_map_error.ts`.
 *
 * @module
 */

import { ProcessError, type ProcessErrorCode, quote } from "../core/errors.ts";

/** The paths that a start was about. */
export interface SpawnPaths {
  /** Absolute path of the program. */
  readonly executable: string;
  /** Working directory, or `undefined` when the parent's was kept. */
  readonly directory: string | undefined;
}

/** The error for a start that threw `error`, which becomes its cause. `stat` rejects where there is nothing. */
export async function spawnError(
  error: unknown,
  { executable, directory }: SpawnPaths,
  { stat }: { readonly stat: (path: string) => Promise<unknown> },
): Promise<ProcessError> {
  const fail = (code: ProcessErrorCode, state: string): ProcessError =>
    new ProcessError(code, `Cannot start ${quote(executable)}: ${state}`, { cause: error });
  const look = (path: string): Promise<"there" | "missing" | "denied"> =>
    stat(path).then(
      () => "there" as const,
      (error) => ["ENOENT", "ENOTDIR"].includes(readCode(error)) ? "missing" : "denied",
    );
  const system = readCode(error);
  if (system === "E2BIG") return fail("ARGUMENTS_TOO_LARGE", "the arguments are too large for the system");
  if (directory !== undefined && ["ENOENT", "ENOTDIR", "EACCES"].includes(system)) {
    const found = await look(`${directory}/.`);
    if (found === "missing") {
      return fail("DIRECTORY_NOT_FOUND", `the working directory ${quote(directory)} does not exist`);
    }
    if (found === "denied") {
      return fail("SPAWN_FAILED", `the working directory ${quote(directory)} may not be entered`);
    }
  }
  switch (system) {
    case "ENOENT":
    case "ENOTDIR":
      return await look(executable) === "there"
        ? fail("PROGRAM_NOT_EXECUTABLE", "the interpreter or loader that it names does not exist")
        : fail("PROGRAM_NOT_FOUND", "the program does not exist");
    case "EACCES":
    case "EISDIR":
      return fail("PROGRAM_NOT_EXECUTABLE", "it may not be executed");
    case "ENOEXEC":
      return fail("PROGRAM_NOT_EXECUTABLE", "it is not a program");
    default:
      return fail("SPAWN_FAILED", `the system refused (${system || "no code"})`);
  }
}

/** The system's error code, or an empty text. */
export function readCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
