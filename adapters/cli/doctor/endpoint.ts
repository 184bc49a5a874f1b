/**
 * Whether the URL of an enterprise server answers: one request without a credential, which it should refuse.
 *
 * MCP 2026-07-28, authorization.
 *
 * @module
 */

import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import type { HttpPort } from "../../../core/ports/http.ts";
import { withinSeconds } from "../../async/deadline.ts";
import { BARE_ANSWER_BYTES, bareRequest } from "../../http/transport/bare_request.ts";
import { VERSION } from "../../version.ts";
import { AGAIN } from "./again.ts";
import { failedFinding } from "./failed_finding.ts";
import type { Finding } from "./finding.ts";

/** Seconds for the answer. */
const SECONDS = 10;

/** Asks the server. */
export async function checkEndpoint(
  { name, url }: Pick<EnterpriseServer, "name" | "url">,
  { http, signal }: { readonly http: HttpPort; readonly signal: AbortSignal },
): Promise<Finding> {
  const about = { id: "server", subject: name };
  try {
    const { status } = await withinSeconds(
      (ending) =>
        http.send(bareRequest(url, { version: VERSION }), { signal: ending, maxBytes: BARE_ANSWER_BYTES }),
      { seconds: SECONDS, signal },
    );
    const [failure, fix] = flawOf(status, name);
    if (failure === null) return { ...about, status: "ok", found: meaningOf(status) };
    return { ...about, status: "failed", code: failure, found: meaningOf(status), fix };
  } catch (error) {
    return failedFinding(error, { ...about, field: `mcp_servers.${name}.url` });
  }
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
