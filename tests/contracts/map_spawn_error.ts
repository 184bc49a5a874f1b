/**
 * What every runtime's map of spawn errors does. Registers the cases for one of them.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import type { ProcessError, ProcessErrorCode } from "../../core/errors.ts";

/** A runtime's map, as `adapters/deno/_map_error.ts` and `adapters/node/_map_error.ts` export it. */
type MapSpawnError = (
  error: unknown,
  paths: { readonly executable: string; readonly directory: string | undefined },
) => Promise<ProcessError>;

/** Registers the contract for `map`, each case under `name`. */
export function testMapSpawnError(name: string, map: MapSpawnError): void {
  test(`${name}: a system code and the two paths decide the error's code`, async () => {
    const cases: readonly [string, string, string | undefined, ProcessErrorCode][] = [
      ["ENOENT", "/nowhere", undefined, "PROGRAM_NOT_FOUND"],
      ["ENOENT", "/nowhere", "/", "PROGRAM_NOT_FOUND"],
      ["ENOENT", "/nowhere", "/nowhere", "DIRECTORY_NOT_FOUND"],
      ["ENOENT", "/bin/sh", "/bin/sh", "DIRECTORY_NOT_FOUND"],
      ["ENOENT", "/bin/sh", "/", "PROGRAM_NOT_EXECUTABLE"],
      ["ENOTDIR", "/bin/sh/below", undefined, "PROGRAM_NOT_FOUND"],
      ["EACCES", "/bin/sh", "/", "PROGRAM_NOT_EXECUTABLE"],
      ["EACCES", "/bin/sh", "/nowhere", "DIRECTORY_NOT_FOUND"],
      ["EACCES", "/bin/sh", `/${"x".repeat(300)}`, "SPAWN_FAILED"],
      ["EISDIR", "/", undefined, "PROGRAM_NOT_EXECUTABLE"],
      ["ENOEXEC", "/bin/sh", undefined, "PROGRAM_NOT_EXECUTABLE"],
      ["E2BIG", "/bin/sh", "/nowhere", "ARGUMENTS_TOO_LARGE"],
      ["EMFILE", "/bin/sh", "/nowhere", "SPAWN_FAILED"],
    ];
    for (const [code, executable, directory, expected] of cases) {
      const cause = Object.assign(new Error("refused"), { code });
      const error = await map(cause, { executable, directory });
      assertEquals([code, executable, directory, error.code], [code, executable, directory, expected]);
      assertEquals(error.cause, cause);
    }
  });

  test(`${name}: what has no code is a failed start, and kept`, async () => {
    for (
      const thrown of [new TypeError("odd"), Object.assign(new Error("odd"), { code: 7 }), "odd", undefined]
    ) {
      const error = await map(thrown, { executable: "/bin/sh", directory: undefined });
      assertEquals([error.code, error.cause], ["SPAWN_FAILED", thrown]);
    }
  });
}
