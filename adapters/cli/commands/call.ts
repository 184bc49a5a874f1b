/**
 * `codex-mcp call`: one call of a tool of a configured server, under a policy. No tools are listed for it.
 *
 * What the call is issued under is prepared in `call/call_turn.ts`, how the result is shown in `call/tell_result.ts`.
 *
 * @module
 */

import type { CallToolResult } from "@modelcontextprotocol/client";
import { HostError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json/value.ts";
import type { SentAuthority } from "../../mcp/host/call/authority.ts";
import { timedOut } from "../../mcp/host/call/end.ts";
import type { Host } from "../../mcp/host/host.ts";
import type { CallOptions } from "../../mcp/host/thread/thread.ts";
import { readArguments } from "../call/call_arguments.ts";
import { withProgress } from "../call/call_progress.ts";
import { prepareTurn } from "../call/call_turn.ts";
import { connectFirst, tooSlow } from "../call/connect_first.ts";
import { openOutputFolder } from "../call/output_folder.ts";
import { tellResult } from "../call/tell_result.ts";
import { withExplanation } from "../host/explain_failure.ts";
import { withHost } from "../host/open_host.ts";
import { projectOf } from "../launcher/project.ts";
import type { Command } from "../program/command.ts";
import { UsageError } from "../program/exit_code.ts";
import type { Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { interruptible } from "../terminal/interruption.ts";
import { shown, visible } from "../terminal/shown.ts";
import { diagnose, withSpinner } from "../terminal/terminal.ts";

const HELP = `codex-mcp call [flags] SERVER TOOL [JSON | -] [flags]

Calls a tool of a configured server. The arguments are a JSON object, "-" reads them from standard input; without any
they are {}. Text goes to standard output, or the structured content where there is no text.

  --policy POLICY     read-only (default), workspace-write, danger-full-access, or a file with a sandbox state, whose
                      text is sent as it is; it goes to servers that ask for it, and one that does not is told of
  --cwd DIR           the project: where servers are started, and what workspace-write lets them write to
  --environment NAME  the execution environment that the policy is for (default local)
  --codex PATH        the Codex CLI that servers here may sandbox with (default: an installed @openai/codex)
  --timeout SECONDS   how long the call may take, connecting included (default: as configured)
  --output DIR        write images, audio and resources there, as new files
  --config FILE       this file instead of config.toml in CODEX_HOME: TOML, or the JSON of other hosts (mcpServers)
  --json              print one JSON document: the result, or { "error": { "code", "message" } }

  codex-mcp call files read_text_file '{"path": "README.md"}'

Exit codes: 1 the tool reports an error, 2 no such server, or no such tool where the server's list is known or it says
so (else its own error: 1), 3 refused, 4 sign-in needed, 5 unavailable, 130 interrupted.
`;

/** The command. */
export const CALL: Command = {
  help: HELP,
  flags: { values: ["policy", "cwd", "environment", "codex", "timeout", "output", "config"] },
  mixed: true,
  run: call,
};

/** What is called. */
interface Wanted {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly flags: Flags;
  /** Real path of the project. */
  readonly directory: string;
}

async function call(runtime: CliRuntime, flags: Flags): Promise<number> {
  const [server, tool, word, ...more] = flags.rest;
  if (server === undefined) throw new UsageError("Which server? Look with codex-mcp servers.");
  if (tool === undefined) throw new UsageError(`Which tool? Look with codex-mcp tools ${shown(server)}.`);
  if (more.length > 0) throw new UsageError("call takes one JSON object for the arguments. Quote it.");
  const directory = await projectOf(flags);
  const output = flags.value("output");
  const wanted = { server, tool, args: await readArguments(word), flags, directory };
  const folder = output === undefined ? null : await openOutputFolder(output);
  const result = await interruptible((signal) =>
    withHost(runtime, { flags, directory }, (host) => callTool(runtime, wanted, { host, signal }))
  );
  return await tellResult(result, { json: flags.has("json"), folder });
}

async function callTool(
  runtime: CliRuntime,
  { server, tool, args, flags, directory }: Wanted,
  { host, signal }: { readonly host: Host; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  const report = host.servers().find(({ name }) => name === server);
  const timeoutMs = flags.milliseconds("timeout");
  const begun = performance.now();
  const accepts = (): Promise<boolean> => connectFirst(host, { server, tool, timeoutMs, signal });
  const use = { server, reports: () => host.servers() };
  const { turn, noLauncher } = await withExplanation(
    use,
    () =>
      withSpinner("Connecting", () => prepareTurn(runtime, { flags, directory, report, accepts, signal })),
  );
  const thread = host.openThread({ sandbox: turn });
  let sent: SentAuthority | null = null;
  const work = async (onProgress: CallOptions["onProgress"]): Promise<CallToolResult> => {
    const left = timeoutMs === undefined ? undefined : Math.max(1, timeoutMs - (performance.now() - begun));
    const issued = thread.callTool(server, tool, args, { signal, onProgress, timeoutMs: left });
    return await issued.result.catch((error: unknown) => {
      const late = error instanceof HostError && error.code === "CALL_TIMEOUT" && timeoutMs !== undefined;
      if (!late) throw error;
      // what was not sent has not run: it was still being connected
      throw issued.authority.sent === null
        ? tooSlow(server, { tool, timeoutMs })
        : timedOut(server, { tool, timeoutMs, configured: false });
    }).finally(() => sent = issued.authority.sent);
  };
  try {
    return await withExplanation(
      { server, reports: () => thread.status() },
      () => withProgress(`Calling ${tool}`, work),
    );
  } finally {
    if (sent !== null) tellSent(sent, { noLauncher, named: flags.value("policy") !== undefined });
  }
}

/**
 * A policy that was asked for and not sent holds for nothing. A server that asks for it cannot run anything under it
 * without a launcher.
 */
function tellSent(
  { stateText, noState }: SentAuthority,
  { noLauncher, named }: { readonly noLauncher: readonly string[]; readonly named: boolean },
): void {
  if (stateText !== null) {
    if (noLauncher.length > 0) {
      diagnose(`codex-mcp: No launcher was sent: ${visible(noLauncher.join(" "))}`);
    }
  } else if (named) diagnose(`codex-mcp: ${NOT_SENT[noState ?? ""] ?? "The sandbox policy was not sent."}`);
}

const ALONE = "it was not sent, and the server decides alone what its commands may do.";

/** Why a policy was not sent, by the reason. */
const NOT_SENT: Readonly<Record<string, string>> = {
  "not-accepted": `The server does not ask for the sandbox policy: ${ALONE}`,
  "other-environment": `The sandbox policy is for another execution environment than the server's: ${ALONE}`,
};
