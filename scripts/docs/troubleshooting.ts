/**
 * Writes `docs/troubleshooting.md`. With `--check` it changes nothing and fails where the file is not up to date, as
 * the gate `generated` does.
 *
 * @module
 */

import { generate } from "./generated.ts";

if (import.meta.main) {
  Deno.exitCode = await generate("docs/troubleshooting.md", { check: Deno.args.includes("--check") });
}
