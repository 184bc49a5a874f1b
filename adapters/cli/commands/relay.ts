/**
 * `codex-mcp relay`: a stdio MCP server behind this process, passed on byte for byte.
 *
 * @module
 */

import process from "node:process";
import { JsonError } from "../../../core/errors.ts";
import { relayStdio } from "../../mcp/relay/relay.ts";
import { ProcessGuard } from "../../sandbox/guard.ts";
import type { Command } from "../program/command.ts";
import { EXIT, signalExitCode, UsageError } from "../program/exit_code.ts";
import type { Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { programNamed } from "../program/server_program.ts";
import { diagnose, paint } from "../terminal/terminal.ts";

const HELP = `codex-mcp relay [flags] -- SERVER CMD…

Starts the stdio MCP server and passes everything on in both directions, byte for byte: what the server advertises,
and the sandbox state and launcher that the host sends. Adds nothing, and takes nothing away. When one end goes, the
server's process group is ended. Exits with the server's status; with 3 when a message was refused.

  --remote   the server works on another machine (ssh, a container): take the launcher, which is a path of this
             machine, out of each call. A message that cannot be searched for it ends the relay

  codex-mcp relay --remote -- ssh build-host my-mcp-server
`;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The command. */
export const RELAY: Command = { help: HELP, flags: { switches: ["remote"] }, run: relay };

async function relay(runtime: CliRuntime, flags: Flags): Promise<number> {
  if (flags.rest.length === 0) throw new UsageError("relay needs a server: codex-mcp relay -- SERVER CMD…");
  const { environment, processes } = runtime;
  const server = await programNamed(runtime, flags.rest);
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  process.stdout.on("error", () => undefined); // told to each write as well
  const guard = new ProcessGuard(processes);
  try {
    const { exitCode, signal } = await relayStdio(server, {
      processes,
      guard,
      environment,
      stderr: "inherit",
      remote: flags.has("remote"),
      input: process.stdin,
      output: (bytes) => new Promise((resolve) => process.stdout.write(bytes, (error) => resolve(!error))),
      signal: stop.signal,
    });
    return exitCode ?? (signal === null ? EXIT.failed : signalExitCode(signal));
  } catch (error) {
    if (!(error instanceof JsonError || error instanceof RangeError)) throw error;
    diagnose(`${paint("codex-mcp:", "bad", process.stderr)} ${error.message}; the relay has ended.`);
    return EXIT.refused;
  } finally {
    await guard.close();
    for (const signal of SIGNALS) process.off(signal, end);
  }
}
