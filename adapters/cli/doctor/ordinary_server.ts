/**
 * Whether an ordinary server can be started or asked, as far as this machine knows: its program is there and may be
 * executed, its working directory exists, its credentials are set. Nobody is started and nothing is sent.
 *
 * How a program is found is decided in `adapters/mcp/host/connect`. Values of variables and URLs are never told.
 *
 * @module
 */

import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { HttpEntry, StdioEntry } from "../../../core/configuration/entry.ts";
import { quote } from "../../../core/errors.ts";
import type { Platform } from "../../../core/sandbox/path.ts";
import { findProgram } from "../../find_program.ts";
import { requestHeaders } from "../../mcp/host/connect/http/request_headers.ts";
import { serverEnvironment } from "../../mcp/host/connect/stdio/server_environment.ts";
import { AGAIN } from "./again.ts";
import type { Finding } from "./finding.ts";

/** Where a server would be started. */
export interface OrdinaryPlace {
  /** Variables of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whose paths these are. */
  readonly platform: Platform;
  /** Absolute path of the host's working directory. */
  readonly directory: string;
}

/** Looks at the server. */
export async function checkOrdinaryServer(
  entry: StdioEntry | HttpEntry,
  place: OrdinaryPlace,
): Promise<Finding> {
  const about = { id: "server", subject: entry.name };
  if (!entry.enabled) return { ...about, status: "skipped", found: "switched off (enabled = false)" };
  const { found, fix } = entry.kind === "stdio" ? await stdioState(entry, place) : httpState(entry, place);
  if (fix === undefined) return { ...about, status: "ok", found };
  return { ...about, status: "failed", code: "SERVER_DISABLED", found, fix: `${fix}, then run: ${AGAIN}` };
}

interface State {
  readonly found: string;
  /** What to do; absent: nothing is wrong. */
  readonly fix?: string;
}

async function stdioState(entry: StdioEntry, place: OrdinaryPlace): Promise<State> {
  const { platform, environment: source } = place;
  const environment = serverEnvironment(entry, { source, platform });
  const directory = resolve(place.directory, entry.cwd ?? "");
  const field = `mcp_servers.${entry.name}`;
  if (!await stat(directory).then((one) => one.isDirectory(), () => false)) {
    return { found: "its working directory does not exist", fix: `create it, or correct ${field}.cwd` };
  }
  const program = await findProgram(entry.command, { environment, directory, platform });
  const command = `the program ${quote(entry.command)}`;
  if (program.path === undefined) {
    return { found: `${command} ${program.flaw}`, fix: `install it, or correct ${field}.command` };
  }
  const { path } = program;
  if (!await stat(path).then((one) => one.isFile(), () => false)) {
    return { found: `${command} does not exist`, fix: `install it, or correct ${field}.command` };
  }
  if (!await access(path, constants.X_OK).then(() => true, () => false)) {
    return { found: `${command} may not be executed`, fix: `make ${quote(path)} executable` };
  }
  const unset = entry.envVars.filter((name) =>
    (source[name] ?? "") === "" && !Object.hasOwn(entry.env, name)
  );
  return { found: `${command} is ${quote(path)}${unsetText(unset)}` };
}

function httpState(entry: HttpEntry, { environment }: OrdinaryPlace): State {
  const headers = requestHeaders(entry, environment);
  if ("flaw" in headers) {
    const fix = headers.reason === "variable" ? "set it" : "correct it in the configuration or the variable";
    return { found: headers.flaw, fix };
  }
  const credentials = entry.bearerTokenEnvVar !== null
    ? "its bearer token is set"
    : Object.keys(headers.fields).length > 0
    ? "its header fields can be sent"
    : "it needs no credential, as far as the configuration says";
  return { found: `${credentials}${unsetText(headers.missing)}` };
}

/** Variables that are named and left out when they are not set: not a failure, and worth knowing. */
function unsetText(names: readonly string[]): string {
  return names.length === 0 ? "" : `; not set: ${names.map(quote).join(", ")}`;
}
