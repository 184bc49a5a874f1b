/**
 * Whether the URL of an enterprise server answers: one request without a credential, which it should refuse.
 *
 * MCP 2026-07-28, authorization.
 *
 * @module
 */

import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import { declareEnterpriseExtension, EXTENSIONS_SINCE } from "../../../core/enterprise/extension.ts";
import type { HttpPort, HttpRequest } from "../../../core/ports/http.ts";
import { withinSeconds } from "../../http/deadline.ts";
import { VERSION } from "../version.ts";
import { AGAIN, failedFinding } from "./failed_finding.ts";
import type { Finding } from "./finding.ts";

/** Seconds for the answer. */
const SECONDS = 10;

/** How much of the answer is read; its status is what counts. */
const MAX_BYTES = 65_536;

/** Asks the server. */
export async function checkEndpoint(
  { name, url }: Pick<EnterpriseServer, "name" | "url">,
  { http, signal }: { readonly http: HttpPort; readonly signal: AbortSignal },
): Promise<Finding> {
  const about = { id: "server", subject: name };
  try {
    const { status } = await withinSeconds(
      (ending) => http.send(requestTo(url), { signal: ending, maxBytes: MAX_BYTES }),
      { seconds: SECONDS, signal },
    );
    const [failure, fix] = flawOf(status, name);
    if (failure === null) return { ...about, status: "ok", found: meaningOf(status) };
    return { ...about, status: "failed", code: failure, found: meaningOf(status), fix };
  } catch (error) {
    return failedFinding(error, { ...about, field: `mcp_servers.${name}.url` });
  }
}

function requestTo(url: string): HttpRequest {
  const _meta = declareEnterpriseExtension({
    "io.modelcontextprotocol/protocolVersion": EXTENSIONS_SINCE,
    "io.modelcontextprotocol/clientInfo": { name: "codex-mcp", version: VERSION },
  });
  return {
    method: "POST",
    url,
    headers: [
      ["accept", "application/json, text/event-stream"],
      ["content-type", "application/json"],
      ["mcp-protocol-version", EXTENSIONS_SINCE],
      ["mcp-method", "tools/list"],
    ],
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } }),
  };
}

/** Code and fix of a status that is a failure. */
function flawOf(status: number, name: string): readonly [code: string | null, fix: string] {
  const field = `mcp_servers.${name}.url`;
  if (status >= 300 && status < 400) {
    return ["SERVER_UNAVAILABLE", `set ${field} to where the server really is, then run: ${AGAIN}`];
  }
  if (status === 404 || status === 410) return ["SERVER_UNAVAILABLE", `correct ${field}, then run: ${AGAIN}`];
  if (status === 429 || status >= 500) {
    return [
      "TEMPORARILY_UNAVAILABLE",
      `wait until it is up again, or ask whoever runs it, then run: ${AGAIN}`,
    ];
  }
  return [null, ""];
}

function meaningOf(status: number): string {
  if (status === 401) return "the server answers, and asks for a token (401)";
  if (status >= 200 && status < 300) return `the server answers without a token (${status})`;
  if (status >= 300 && status < 400) return `the server answers ${status}, a redirect, which is not followed`;
  return `the server answers ${status}`;
}
