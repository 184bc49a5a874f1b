/**
 * `codex-mcp serve`: the flags of the operator become a runner, and the server runs until its input ends.
 *
 * @module
 */

import { AuthoritySessions } from "../../sandbox/sessions.ts";
import type { Command } from "../program/command.ts";
import { EXIT } from "../program/exit_code.ts";
import { type Flags, requireFlagsAlone } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { HELP, runnerPolicy, SERVE_FLAGS, sessionsPolicy } from "../serve/flags.ts";
import { serve } from "../serve/serve_stdio.ts";

/** The command. */
export const SERVE: Command = { help: HELP, flags: SERVE_FLAGS, run: runServe };

async function runServe(runtime: CliRuntime, flags: Flags): Promise<number> {
  requireFlagsAlone("serve", flags);
  const limits = sessionsPolicy(flags);
  const runner = await runtime.createSandboxRunner(runnerPolicy(flags));
  try {
    await serve({ runner, sessions: new AuthoritySessions(runner, limits) });
  } finally {
    await runner.close();
  }
  return EXIT.done;
}
