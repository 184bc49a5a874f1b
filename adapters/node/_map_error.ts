/**
 * What Node says when it cannot start a program, as an error of this package. Node's error lists the arguments, which
 * may be a policy: it is kept as `cause` without them. The code is `adapters/spawn_error.ts`'s.
 *
 * @module
 */

import { stat } from "node:fs/promises";
import type { ProcessError } from "../../core/errors.ts";
import { spawnError, type SpawnPaths } from "../spawn_error.ts";

/** The error for a start that threw `error`. */
export function mapSpawnError(error: unknown, paths: SpawnPaths): Promise<ProcessError> {
  if (error instanceof Error && "spawnargs" in error) delete error.spawnargs;
  return spawnError(error, paths, { stat });
}
