/**
 * What a call of the command line is issued under: the policy's state, the selected environment, and the installed
 * Codex CLI for a local server that asks for the state, which it says when it is connected to. That none can be used
 * is no error unless it was named: then it is looked at whatever the server says.
 *
 * What of it a server gets is decided in `core/sandbox/binding.ts`.
 *
 * @module
 */

import { SandboxError } from "../../../core/errors.ts";
import type { TurnSandbox } from "../../mcp/host/sandbox/turn_sandbox.ts";
import type { ServerReport } from "../../mcp/host/servers/server_report.ts";
import { chooseLauncher } from "../launcher/choose_launcher.ts";
import { isCodexHomeWritable } from "../launcher/codex_home.ts";
import { readPolicy, writableBy } from "../launcher/policy.ts";
import type { Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";

/** What the choice depends on. */
export interface TurnOptions {
  /** `--policy`, `--environment`, `--codex`. */
  readonly flags: Pick<Flags, "value">;
  /** Real path of the project. */
  readonly directory: string;
  /** The server; `undefined`: there is none of that name. */
  readonly report: ServerReport | undefined;
  /** Connects to the server and tells whether it asks for the sandbox state. Asked only when that counts. */
  readonly accepts: () => Promise<boolean>;
  /** Ends the search. */
  readonly signal: AbortSignal;
}

/** What a call is issued under. */
export interface CallTurn {
  /** For the thread. */
  readonly turn: TurnSandbox;
  /** Why no launcher can be sent, a sentence each; empty when there is one, or none was looked for. */
  readonly noLauncher: readonly string[];
}

/**
 * Prepares it. Rejects as `accepts` does.
 *
 * @throws {SandboxError} `STATE_INEXACT` when the policy file is not JSON.
 * @throws {SandboxError} `LAUNCHER_INVALID` when `--codex` names what may not be a launcher.
 */
export async function prepareTurn(
  runtime: CliRuntime,
  { flags, directory, report, accepts, signal }: TurnOptions,
): Promise<CallTurn> {
  const { platform } = runtime;
  const name = flags.value("policy") ?? "read-only";
  const environment = flags.value("environment") ?? "local";
  const options = { directory, platform, temporary: runtime.environment["TMPDIR"] };
  const { stateText, writableRoots } = await readPolicy(name, { ...options, codex: undefined });
  const turn = { environment, stateText, writableRoots, workspace: directory };
  const isHere = report?.transport === "stdio" && report.environment === "local" && environment === "local";
  const named = flags.value("codex");
  if (!isHere || report.state === "disabled" || named === undefined && !await accepts()) {
    return { turn, noLauncher: [] };
  }
  if (await isCodexHomeWritable(runtime, writableBy({ name, writableRoots }, directory))) {
    return { turn, noLauncher: ["CODEX_HOME lies where the policy lets the command write."] };
  }
  const choice = await chooseLauncher(runtime, { named, workspace: directory, writableRoots, signal });
  if (choice.executable === undefined) {
    if (named !== undefined) throw new SandboxError("LAUNCHER_INVALID", choice.reasons.join(" "));
    return { turn, noLauncher: choice.reasons };
  }
  const launcher = choice.executable;
  const policy = await readPolicy(name, { ...options, codex: launcher });
  return { turn: { ...turn, stateText: policy.stateText, launcher }, noLauncher: [] };
}
