/**
 * What carries one start of a server: a process of ours, or HTTP requests.
 *
 * @module
 */

import type { Transport } from "@modelcontextprotocol/client";
import { resolve } from "node:path";
import type { HttpEntry, StdioEntry } from "../../../../core/configuration/entry.ts";
import type { ProcessExit } from "../../../../core/ports/process.ts";
import { findProgram } from "../../../find_program.ts";
import { StdioHostTransport } from "../../wire/stdio_transport.ts";
import { type Ending, type Failed, failed } from "./failure.ts";
import { HttpHostTransport } from "./http/http_transport.ts";
import { requestHeaders } from "./http/request_headers.ts";
import type { ServerConnectionOptions } from "./server_connection.ts";
import type { DiagnosticsLog } from "./stdio/diagnostics_log.ts";
import { serverEnvironment } from "./stdio/server_environment.ts";

/** One start. */
export interface Carrier {
  /** The transport, not started. Closing it ends everything. */
  readonly transport: Transport & { exact(text: string): string };
  /** How the server is reached. */
  readonly kind: "stdio" | "http";
  /** Variables of credentials that are not set, and that are sent without. */
  readonly unset: readonly string[];
  /** How many times a stream was resumed. */
  resumptions(): number;
  /** How the server ended by itself; `null`: it did not. */
  ended(): Ending | null;
}

/** What carriers are made with. */
export interface CarrierOptions extends ServerConnectionOptions {
  /** Gets what a stdio server writes to standard error. */
  readonly log: DiagnosticsLog;
}

/** Makes the carrier of the next start, or says why there can be none. */
export async function makeCarrier(
  entry: StdioEntry | HttpEntry,
  options: CarrierOptions,
): Promise<Carrier | Failed> {
  return entry.kind === "stdio" ? await stdioCarrier(entry, options) : httpCarrier(entry, options);
}

async function stdioCarrier(entry: StdioEntry, options: CarrierOptions): Promise<Carrier | Failed> {
  const { processes, guard, platform, closeMs, log } = options;
  const environment = serverEnvironment(entry, { source: options.environment, platform });
  const directory = resolve(options.directory, entry.cwd ?? "");
  const program = await findProgram(entry.command, { environment, directory, platform });
  if (program.path === undefined) {
    return failed(entry.name, {
      reason: "program",
      // not its text: a placeholder in it may have been filled with a secret
      state: `its command ${program.flaw}`,
    });
  }
  const transport = new StdioHostTransport({ executable: program.path, args: entry.args }, {
    processes,
    guard,
    environment,
    directory,
    closeMs,
    onDiagnostics: (chunk) => log.push(chunk),
  });
  return {
    transport,
    kind: "stdio",
    unset: [],
    resumptions: () => 0,
    ended: () => transport.ended ? { reason: "ended", state: exitText(transport.exit) } : null,
  };
}

function exitText(exit: ProcessExit | null): string {
  if (exit === null) return "it closed its standard input or output";
  return exit.signal === null
    ? `it ended with status ${exit.exitCode ?? "unknown"}`
    : `it was ended by ${exit.signal}`;
}

function httpCarrier(entry: HttpEntry, options: CarrierOptions): Carrier | Failed {
  const url = usableUrl(entry.url);
  if (typeof url === "string") {
    return failed(entry.name, { code: "SERVER_DISABLED", reason: "url", state: url });
  }
  const headers = requestHeaders(entry, options.environment);
  if ("flaw" in headers) {
    return failed(entry.name, { code: "SERVER_DISABLED", reason: headers.reason, state: headers.flaw });
  }
  const transport = new HttpHostTransport(url, {
    server: entry.name,
    runtime: options.runtime,
    headers: headers.fields,
    fetch: options.fetch,
    closeMs: options.closeMs,
  });
  return {
    transport,
    kind: "http",
    unset: headers.missing,
    resumptions: () => transport.resumptions,
    ended: () => transport.sessionLost ? { reason: "session", state: "it ended the session" } : null,
  };
}

/** The URL, or what is wrong with it; it is not quoted, since it may hold a secret. */
function usableUrl(text: string): URL | string {
  if (!URL.canParse(text)) return "its url cannot be read";
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "its url is neither https nor http";
  if (url.username !== "" || url.password !== "") {
    return "its url holds a user name or a password; use http_headers or bearer_token_env_var";
  }
  return url;
}
