/**
 * `codex-mcp serve` over stdio: the server of `exec_server.ts` from its first message to its certain end.
 *
 * This file decides when serving is over: standard input ends, standard output breaks, or a signal comes. Then the
 * connection is closed, which cancels the calls, and the runner, which ends what they started. What is written to
 * standard output is the SDK's alone.
 *
 * @module
 */

import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import process from "node:process";
import { type ExactStdin, exactStdin } from "../../mcp/server/exact_stdin.ts";
import { createExecServer, type ExecServerOptions } from "./exec_server.ts";

/** What is served, and over what. */
export interface ServeOptions extends ExecServerOptions {
  /** The connection; absent: this process's standard input and output, read exactly. */
  readonly transport?: Transport | undefined;
  /** Told in one line of what goes wrong with the connection; absent: written to standard error. */
  readonly announce?: ((line: string) => void) | undefined;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Serves the `exec` tool until the connection ends or SIGINT, SIGTERM or SIGHUP comes; resolves when every command
 * has been ended. Calls that are under way then get no answer. Closes the runner.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { runner, announce = console.error } = options;
  const own = options.transport === undefined ? readExactly(announce) : undefined;
  const transport = options.transport ?? new StdioServerTransport(own?.stdin);
  const { sourceTexts } = own ?? options;
  const connection = serveStdio(() => createExecServer({ ...options, sourceTexts }), {
    transport,
    onerror: (error) => announce(`codex-mcp serve: the connection reports a ${describe(error)}`),
  });
  let stop: () => void = () => {};
  const over = new Promise<void>((resolve) => stop = resolve);
  const send = transport.send.bind(transport);
  // Deno throws where a pipe would report an error: a file on a full disk
  transport.send = async (message, options) => {
    try {
      await send(message, options);
    } catch (error) {
      stop();
      throw error;
    }
  };
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    stop();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    await over;
    await connection.close();
  } finally {
    await runner.close();
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** This process's standard input, with the states of its calls as they came. */
function readExactly(announce: (line: string) => void): ExactStdin {
  return exactStdin({
    onrefusal: ({ code }) =>
      announce(`codex-mcp serve: the connection brought a message that is refused (${code})`),
  });
}

/** The kind of an error. Its message may quote what was received. */
function describe(error: Error): string {
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? `${error.name} (${code})` : error.name;
}
