/**
 * `codex-mcp exec`: one command through the whole chain, host to stdio server to `codex sandbox`.
 *
 * @module
 */

import process from "node:process";
import { CodexMcpError, SandboxError } from "../../../core/errors.ts";
import type { SandboxResult } from "../../sandbox/result.ts";
import { openExecHost } from "../exec/exec_host.ts";
import { chooseLauncher } from "../launcher/choose_launcher.ts";
import { isCodexHomeWritable } from "../launcher/codex_home.ts";
import { type Policy, readPolicy, writableBy } from "../launcher/policy.ts";
import { projectOf } from "../launcher/project.ts";
import type { Command } from "../program/command.ts";
import { EXIT, signalExitCode, UsageError } from "../program/exit_code.ts";
import type { Flags } from "../program/flags.ts";
import { missingPackage } from "../program/missing_package.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { POLICY_FLAGS, policyArguments } from "../serve/flags.ts";
import { InterruptedError, interruptible } from "../terminal/interruption.ts";
import { StreamedOutput } from "../terminal/streamed_output.ts";
import { diagnose, paint, printJson, withSpinner, writeOutput } from "../terminal/terminal.ts";

const HELP = `codex-mcp exec [flags] -- CMD [ARG…]

Runs CMD through the whole chain: this program as MCP host, a stdio MCP server (codex-mcp serve), codex sandbox.
Exits with the status of CMD; with 125 when it was refused or the chain failed; with 2 for a wrong command line.

  --policy POLICY       read-only (default), workspace-write, danger-full-access, or a file with a sandbox state,
                        whose text is sent as it is
  --cwd DIR             the project: working directory, and what workspace-write lets CMD write to (default: here)
  --directory DIR       change to DIR inside the sandbox
  --codex PATH          the Codex CLI to sandbox with (default: an installed @openai/codex)
  --stdin               pass standard input on (up to its end, before CMD starts)
  --timeout SECONDS     end CMD after that time
  --disable-network     close the network whatever the policy says
  --readable-root PATH  let CMD read PATH besides; may be repeated
  --pass-env NAME       pass a variable on besides the base list; may be repeated
  --max-output BYTES    keep that much of each output stream (default 1048576)
  --json                print one JSON document: the result, or { "error": { "code", "message" } }

  codex-mcp exec --policy workspace-write -- sh -c 'make > build.log'
`;

/** How the chain ended: the command's result, or why there is none. */
type Ending = { readonly result: SandboxResult } | { readonly code: string; readonly message: string };

/** The command. */
export const EXEC: Command = {
  help: HELP,
  flags: {
    switches: ["stdin", ...POLICY_FLAGS.switches],
    values: ["policy", "cwd", "directory", "codex", ...POLICY_FLAGS.values],
    lists: POLICY_FLAGS.lists,
  },
  run: exec,
};

async function exec(runtime: CliRuntime, flags: Flags): Promise<number> {
  if (flags.rest.length === 0) throw new UsageError("exec needs a command: codex-mcp exec -- CMD [ARG…]");
  const json = flags.has("json");
  let ending: Ending;
  try {
    ending = await interruptible((signal) => runChain(runtime, flags, { signal }));
  } catch (error) {
    if (error instanceof UsageError || missingPackage(error) !== null) throw error;
    ending = error instanceof CodexMcpError || error instanceof InterruptedError
      ? error
      : { code: "CHAIN_FAILED", message: error instanceof Error ? error.message : String(error) };
  }
  if ("result" in ending) {
    if (json) printJson(ending.result);
    return exitStatus(ending.result);
  }
  const { code, message } = ending;
  if (json) printJson({ error: { code, message } });
  else diagnose(`${paint("codex-mcp:", "bad", process.stderr)} ${code}: ${message}`);
  return EXIT.chain;
}

async function runChain(
  runtime: CliRuntime,
  flags: Flags,
  { signal }: { readonly signal: AbortSignal },
): Promise<Ending> {
  const limits = policyArguments(flags);
  if (flags.value("max-output") === undefined) limits.push("--max-output", OUTPUT_BYTES);
  if (flags.has("disable-network") && flags.value("policy") === "danger-full-access") {
    throw new UsageError("--disable-network needs a sandbox, and danger-full-access has none.");
  }
  const directory = await projectOf(flags);
  const named = flags.value("policy") ?? "read-only";
  const temporary = runtime.environment["TMPDIR"];
  const options = { directory, platform: runtime.platform, temporary };
  const { writableRoots } = await readPolicy(named, { ...options, codex: undefined });
  if (await isCodexHomeWritable(runtime, writableBy({ name: named, writableRoots }, directory))) {
    return {
      code: "CODEX_HOME_WRITABLE",
      message: "CODEX_HOME lies where the policy lets the command write. Move it, or use another policy.",
    };
  }
  const choice = await withSpinner(
    "Looking for a Codex CLI",
    () =>
      chooseLauncher(runtime, { named: flags.value("codex"), workspace: directory, writableRoots, signal }),
  );
  if (choice.executable === undefined) {
    return { code: "LAUNCHER_INVALID", message: choice.reasons.join(" ") };
  }
  const policy = await readPolicy(named, { ...options, codex: choice.executable });
  return await callExec(runtime, { flags, limits, policy, launcher: choice.executable, signal });
}

/** A person reads more than a model does. */
const OUTPUT_BYTES = "1048576";

/** What one call through the chain is made of. */
interface Chain {
  readonly flags: Flags;
  readonly limits: readonly string[];
  readonly policy: Policy;
  readonly launcher: string;
  readonly signal: AbortSignal;
}

async function callExec(runtime: CliRuntime, chain: Chain): Promise<Ending> {
  const { flags, limits, policy, launcher, signal } = chain;
  const stdin = flags.has("stdin") ? await readInput() : undefined;
  const inside = flags.value("directory");
  const host = await openExecHost(runtime, limits);
  try {
    const output = new StreamedOutput(writeOutput);
    const outcome = await host.exec({
      arguments: {
        command: flags.rest,
        ...(stdin === undefined ? {} : { stdin }),
        ...(inside === undefined ? {} : { directory: inside }),
      },
      stateText: policy.stateText,
      launcher,
      signal,
      ...(flags.has("json") ? {} : { onOutput: (stream, chunk) => output.push(stream, chunk) }),
    });
    if (outcome.result === undefined) return splitRefusal(outcome.refusal);
    if (!flags.has("json")) {
      output.finish(outcome.result);
      report(outcome.result);
    }
    return { result: outcome.result };
  } finally {
    await host.close();
  }
}

/** What is left to say when a command has ended: what its status and its output do not tell. */
function report(result: SandboxResult): void {
  if (result.truncated) diagnose("codex-mcp: output beyond --max-output was dropped.");
  if (result.timedOut) diagnose("codex-mcp: the command was ended by --timeout.");
  if (result.sandboxed === "policy-disabled") {
    diagnose("codex-mcp: ran without a sandbox, as the policy says.");
  }
}

/** A time limit is the chain's doing, so it is 125; a signal shows as shells show it. */
function exitStatus({ exitCode, signal, timedOut }: SandboxResult): number {
  if (timedOut) return EXIT.chain;
  return exitCode ?? (signal === null ? EXIT.chain : signalExitCode(signal));
}

function splitRefusal(text: string): Ending {
  const [, code, message] = /^([A-Z][A-Z_]+): (.*)$/s.exec(text) ?? [];
  return code === undefined ? { code: "TOOL_ERROR", message: text } : { code, message: message! };
}

/** Standard input as the tool takes it, which is text: what is not is refused, and not changed. */
async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const bytes = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SandboxError(
      "COMMAND_INVALID",
      "Cannot pass standard input on: it is not UTF-8; nothing was run.",
    );
  }
}
