/**
 * What Deno says when it cannot start a program, as an error of this package. Deno's error names the program alone,
 * never arguments or environment, so it is kept as `cause`. The code is `adapters/spawn_error.ts`'s.
 *
 * @module
 */

import type { ProcessError } from "../../core/errors.ts";
import { spawnError, type SpawnPaths } from "../spawn_error.ts";

/** The error for a start that threw `error`. */
export function mapSpawnError(error: unknown, paths: SpawnPaths): Promise<ProcessError> {
  return spawnError(error, paths, { stat: Deno.stat });
}
