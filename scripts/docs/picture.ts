/**
 * Writes `docs/authority.svg`. With `--check` it changes nothing and fails where the file is not up to date, as the gate
 * `generated` does.
 *
 * @module
 */

import { generate } from "./generated.ts";

if (import.meta.main) {
  Deno.exitCode = await generate("docs/authority.svg", { check: Deno.args.includes("--check") });
}
