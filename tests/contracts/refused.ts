/**
 * What a promise was refused with.
 *
 * @module
 */

import { assert, assertRejects } from "@std/assert";
import { CodexMcpError } from "../../core/errors.ts";

/** The error of this package that `body` rejects with; anything else, or nothing, fails the test. */
export async function refused(body: () => Promise<unknown>): Promise<CodexMcpError> {
  const error = await assertRejects(body);
  assert(error instanceof CodexMcpError, `Expected a refusal, and got ${error}`);
  return error;
}

/** Its code alone. */
export async function refusedCode(body: () => Promise<unknown>): Promise<string> {
  return (await refused(body)).code;
}
