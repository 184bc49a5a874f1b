/**
 * What a call was refused with.
 *
 * @module
 */

import { assertInstanceOf, fail } from "@std/assert";
import { SandboxError } from "../../core/errors.ts";

/** The `SandboxError` that `body` throws; anything else, or nothing, fails the test. */
export function refusal(body: () => unknown): SandboxError {
  let thrown: unknown;
  try {
    body();
  } catch (error) {
    thrown = error;
  }
  if (thrown === undefined) fail("Expected a refusal, and there was none");
  assertInstanceOf(thrown, SandboxError);
  return thrown;
}

/** Its code alone. */
export function refusalCode(body: () => unknown): string {
  return refusal(body).code;
}
