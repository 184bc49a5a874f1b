/**
 * The program that a person named at the prompt, as a request to start it. Where it is looked for is decided in
 * `adapters/find_program.ts`; a launcher is never looked for this way.
 *
 * @module
 */

import process from "node:process";
import type { SpawnRequest } from "../../../core/ports/process.ts";
import { findProgram } from "../../find_program.ts";
import { UsageError } from "./exit_code.ts";
import type { CliRuntime } from "./runtime.ts";

/** A command line as a request to start it. Throws a `UsageError` when there is no such program. */
export async function programNamed(
  { environment, platform }: Pick<CliRuntime, "environment" | "platform">,
  [name = "", ...args]: readonly string[],
): Promise<SpawnRequest> {
  const found = await findProgram(name, { environment, directory: process.cwd(), platform });
  if (found.flaw !== undefined) throw new UsageError(`${JSON.stringify(name)} ${found.flaw}.`);
  return { executable: found.path, args };
}
