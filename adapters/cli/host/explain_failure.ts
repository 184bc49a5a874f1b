/**
 * What the host says about a server that cannot be used, with what a person needs to go on: the servers that there
 * are, where a server's own words are. The file and the line of a fault are the host's own word.
 *
 * @module
 */

import { HostError } from "../../../core/errors.ts";
import type { ServerReport } from "../../mcp/host/servers/server_report.ts";
import { withAdvice } from "../enterprise/advice.ts";
import { toolsCommand } from "../program/tools_command.ts";
import { shown } from "../terminal/shown.ts";

/** Which server was used, and where all of them stand now. */
export interface ServerUse {
  /** Name of the server. */
  readonly server: string;
  /** All reports. */
  readonly reports: () => readonly ServerReport[];
}

/** Does `work` with a server. Errors come with the next step. */
export async function withExplanation<Value>(
  { server, reports }: ServerUse,
  work: () => Promise<Value>,
): Promise<Value> {
  return await withAdvice(toolsCommand(server), async () => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof HostError ? explained(error, { server, reports }) : error;
    }
  });
}

function explained(error: HostError, { server, reports }: ServerUse): HostError {
  const report = reports().find(({ name }) => name === server);
  if (error.code === "SERVER_UNKNOWN") {
    const names = reports().map(({ name }) => shown(name)).join(", ");
    return again(error, `${error.message}. ${names === "" ? "None is configured." : `There is: ${names}.`}`);
  }
  if ((report?.stderr ?? "") !== "" && FAILED.includes(error.code)) {
    return again(error, `${error.message}. What it wrote to standard error: codex-mcp servers --stderr`);
  }
  return error;
}

const FAILED: readonly HostError["code"][] = ["SERVER_UNAVAILABLE", "SERVER_TIMEOUT", "CONNECTION_LOST"];

function again(error: HostError, message: string): HostError {
  const { code, cause, server, rpcCode } = error;
  return new HostError(code, message, {
    ...(cause === undefined ? {} : { cause }),
    ...(server === undefined ? {} : { server }),
    ...(rpcCode === undefined ? {} : { rpcCode }),
  });
}
