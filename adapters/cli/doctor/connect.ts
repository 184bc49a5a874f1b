/**
 * Servers that the doctor really connects to, as a host would.
 *
 * How that goes is decided in `servers/survey.ts`.
 *
 * @module
 */

import type { ServerRow } from "../servers/server_row.ts";
import { AGAIN } from "./again.ts";
import { remedyOf } from "./failed_finding.ts";
import type { Finding } from "./finding.ts";

/** The finding of a server that was tried. */
export function connectFinding({ name, reason, era, protocol, tools, kind }: ServerRow): Finding {
  const about = { id: "connect", subject: name };
  if (reason === null) {
    const offered = tools === null ? "" : `, and offers ${tools} tool${tools === 1 ? "" : "s"}`;
    return { ...about, status: "ok", found: `it speaks ${protocol ?? era ?? "MCP"}${offered}` };
  }
  const { code, message } = reason;
  const said = /^(.*?)\. ((?:(?!\. ).)*\bcodex-mcp .*)$/s.exec(message);
  if (said !== null) {
    const [, found = "", step = ""] = said;
    return { ...about, status: "failed", code, found, fix: step.slice(0, 1).toLowerCase() + step.slice(1) };
  }
  const more = kind === "stdio" ? "see what it wrote: codex-mcp servers --stderr" : `then run: ${AGAIN}`;
  const fix = `${FIXES[code] ?? remedyOf(code, `mcp_servers.${name}`)}; ${more}`;
  return { ...about, status: "failed", code, found: message.replace(/\.$/, ""), fix };
}

const FIXES: Readonly<Record<string, string>> = {
  SERVER_DISABLED: "correct its configuration",
  SERVER_UNAVAILABLE: "check that it runs and can be reached",
  SERVER_TIMEOUT: "find out what it waits for, or raise its startup_timeout_sec",
  CALL_TIMEOUT: "find out what it waits for, or raise its tool_timeout_sec",
  CLIENT_REFUSED:
    "compare client_id, its credential and token_endpoint_auth_method in the configuration with the registration",
  CONNECTION_LOST: "find out why it ends",
  PROTOCOL_ERROR: "update the server: it does not answer as the protocol says",
  RESULT_INVALID: "update the server: it does not answer as the protocol says",
};
