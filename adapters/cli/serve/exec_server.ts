/**
 * The MCP server `codex-mcp`: the tool `exec`, that runs a command under the authority of its own call, and the
 * tools of sessions.
 *
 * This file decides what the server advertises and how a call becomes a run. `commands/serve.ts` of the folder above
 * gives it a transport and an end, `adapters/mcp/` the authority, the runner the sandbox.
 *
 * The schemas are the tool's listing alone; `exec_arguments.ts` checks what comes in. Compiling them would take
 * longer than loading the SDK's other half, and its refusals would have no code.
 *
 * @module
 */

import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import type { CapturedAuthority } from "../../../core/sandbox/authority.ts";
import { advertiseSandboxState } from "../../../core/sandbox/capability.ts";
import type { AuthorityOptions } from "../../mcp/server/authority_of.ts";
import { SANDBOX_RESULT_SCHEMA } from "../../mcp/server/result_schema.ts";
import { resultOf, type ToolResult } from "../../mcp/server/tool_result.ts";
import { withAuthority } from "../../mcp/server/with_authority.ts";
import type { SandboxResult } from "../../sandbox/result.ts";
import type { CommandOptions } from "../../sandbox/runner.ts";
import type { AuthoritySessions } from "../../sandbox/sessions.ts";
import { VERSION } from "../../version.ts";
import { EXEC_INPUT_SCHEMA, parseExecArguments } from "./exec_arguments.ts";
import { listedSchema } from "./listed_schema.ts";
import { ProgressReporter, STREAM_OUTPUT_KEY } from "./progress.ts";
import { registerSessionTools } from "./session_tools.ts";

/** Runs commands: a `SandboxRunner` of any runtime. */
export interface CommandRunner {
  /** Runs `command` under `authority`. Rejects with an error of this package when it is refused. */
  run(
    authority: CapturedAuthority,
    command: readonly string[],
    options?: CommandOptions,
  ): Promise<SandboxResult>;
  /** Ends every command and refuses new ones. */
  close(): Promise<void>;
}

/** What a server is made of. */
export interface ExecServerOptions extends Pick<AuthorityOptions, "sourceTexts"> {
  /** Runs the commands; may serve several servers. */
  readonly runner: CommandRunner;
  /** Keeps processes between calls; may serve several servers. Absent: the server has no session tools. */
  readonly sessions?: AuthoritySessions | undefined;
  /** Milliseconds between two signs of life of a silent command; absent: 5,000. */
  readonly heartbeatMs?: number | undefined;
}

/** Creates a server for one connection, for the handshake of 2025 as well as for MCP 2026-07-28. */
export function createExecServer(options: ExecServerOptions): McpServer {
  const server = new McpServer({ name: "codex-mcp", version: VERSION }, {
    capabilities: { tools: { listChanged: false }, ...advertiseSandboxState() },
  });
  server.registerTool(
    "exec",
    {
      title: "Run a command",
      description:
        "Runs a command in the sandbox that the host sent with this call, and returns its exit status and output.",
      inputSchema: listedSchema<unknown>(EXEC_INPUT_SCHEMA),
      outputSchema: listedSchema<unknown>(SANDBOX_RESULT_SCHEMA),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    withAuthority(
      (args: unknown, authority, context: ServerContext) => run(args, authority, { context, options }),
      { transport: "stdio", server, sourceTexts: options.sourceTexts },
    ),
  );
  const { sessions, sourceTexts } = options;
  if (sessions !== undefined) registerSessionTools(server, { sessions, sourceTexts });
  return server;
}

async function run(
  args: unknown,
  authority: CapturedAuthority,
  { context, options }: { readonly context: ServerContext; readonly options: ExecServerOptions },
): Promise<ToolResult> {
  const { command, ...wishes } = parseExecArguments(args);
  const progress = reportProgress(context, options);
  try {
    return resultOf(
      await options.runner.run(authority, command, {
        ...wishes,
        signal: context.mcpReq.signal,
        onOutput: progress && ((stream, chunk) => progress.output(stream, chunk)),
      }),
    );
  } finally {
    progress?.stop();
  }
}

/** Reports to the host that asked for it; `undefined` when it did not. */
function reportProgress(
  { mcpReq }: ServerContext,
  { heartbeatMs }: ExecServerOptions,
): ProgressReporter | undefined {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  return new ProgressReporter({
    token,
    carriesOutput: mcpReq._meta?.[STREAM_OUTPUT_KEY] === true,
    heartbeatMs,
    send: (params) => {
      // a connection that fails to send ends the call by itself
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  });
}
