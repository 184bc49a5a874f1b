/**
 * The command line on a machine without an installed Codex CLI: what finds programs has no PATH but the system's, and
 * no cache of packages.
 *
 * @module
 */

import { runCommandLine } from "../../../../adapters/cli/command_line.ts";
import { createRuntime } from "../../../../adapters/cli/main.ts";

const runtime = createRuntime(Deno.args);
const { DENO_DIR: _, ...environment } = runtime.environment;
Deno.exit(await runCommandLine({ ...runtime, environment: { ...environment, PATH: "/usr/bin:/bin" } }));
