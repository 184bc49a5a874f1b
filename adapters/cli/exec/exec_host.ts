/**
 * The host of `exec`, `doctor` and the demonstration: it starts `serve` over stdio, decides on the launcher, and
 * calls the sandboxed tool with a call's `_meta`.
 *
 * @module
 */

import { Client } from "@modelcontextprotocol/client";
import { buildCallMeta } from "../../../core/sandbox/call_meta.ts";
import { LONGEST_DELAY_MS } from "../../async/longest_delay.ts";
import { StdioHostTransport } from "../../mcp/wire/stdio_transport.ts";
import { ProcessGuard } from "../../sandbox/guard.ts";
import type { SandboxResult } from "../../sandbox/result.ts";
import { VERSION } from "../../version.ts";
import type { CliRuntime } from "../program/runtime.ts";

/** One call of the `exec` tool. */
export interface ExecCall {
  /** Arguments of the tool. */
  readonly arguments: {
    readonly command: readonly string[];
    readonly stdin?: string;
    readonly directory?: string;
    readonly timeoutMs?: number;
  };
  /** JSON text of the state; absent: none is sent. */
  readonly stateText?: string | undefined;
  /** Path of the launcher; absent: none is sent. */
  readonly launcher?: string | undefined;
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Told of the command's output as it comes. */
  readonly onOutput?: ((stream: "stdout" | "stderr", chunk: Uint8Array) => void) | undefined;
}

/** What a call came to: a result, or the refusal's text, which begins with its code. */
export type ExecOutcome =
  | { readonly result: SandboxResult; readonly refusal?: never }
  | { readonly result?: never; readonly refusal: string };

/** A server that runs, and a connection to it. */
export interface ExecHost {
  /** Calls the `exec` tool. Rejects when the connection fails. */
  exec(call: ExecCall): Promise<ExecOutcome>;
  /** Ends the server and what it runs. */
  close(): Promise<void>;
}

/** Starts `serve` with these flags and connects to it over MCP 2026-07-28. */
export async function openExecHost(runtime: CliRuntime, flags: readonly string[] = []): Promise<ExecHost> {
  const guard = new ProcessGuard(runtime.processes);
  const transport = new StdioHostTransport(runtime.again(["serve", ...flags]), {
    processes: runtime.processes,
    guard,
    environment: runtime.environment,
    stderr: "inherit",
  });
  const client = new Client({ name: "codex-mcp", version: VERSION }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  const close = async (): Promise<void> => {
    await client.close();
    await guard.close();
  };
  try {
    await client.connect(transport);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    exec: async (call) => {
      const { onOutput } = call;
      const meta = buildCallMeta({
        meta: onOutput === undefined ? {} : { "codex-mcp/stream-output": true },
        capabilities: client.getServerCapabilities(),
        state: call.stateText === undefined ? undefined : transport.exact(call.stateText),
        launcher: call.launcher,
        platform: runtime.platform,
      });
      const answer = await client.callTool({
        name: "exec",
        arguments: { ...call.arguments },
        _meta: { ...meta },
      }, {
        timeout: LONGEST_DELAY_MS,
        ...(call.signal === undefined ? {} : { signal: call.signal }),
        ...(onOutput === undefined ? {} : { onprogress: (progress) => forward(progress, onOutput) }),
      });
      if (answer.structuredContent !== undefined) {
        return { result: answer.structuredContent as unknown as SandboxResult };
      }
      return { refusal: textOf(answer.content) };
    },
    close,
  };
}

function forward(progress: object, onOutput: NonNullable<ExecCall["onOutput"]>): void {
  const meta = (progress as { readonly _meta?: Readonly<Record<string, unknown>> })._meta;
  const output = meta?.["codex-mcp/output"] as {
    readonly stream: "stdout" | "stderr";
    readonly base64: string;
  } | undefined;
  if (output !== undefined) {
    onOutput(
      output.stream,
      Uint8Array.from(atob(output.base64), (c) => c.charCodeAt(0)),
    );
  }
}

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((part) => part.type === "text" ? part.text : "").join("\n");
}
