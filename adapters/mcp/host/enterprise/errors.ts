/**
 * The errors of a host's enterprise servers that no state of an authorization gives: threads and hosts that are closed,
 * connections that are gone or were not made, and what changed meanwhile.
 *
 * The others are made in `adapters/http/tokens/use_error.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { guidance } from "../../../../core/enterprise/status/status_text.ts";
import { HostError, quote } from "../../../../core/errors.ts";
import { ownProperty } from "../../../../core/json/value.ts";
import { redactError } from "../../../http/transport/redact.ts";

/** There is no such thread, or no more. */
export function threadError(thread: string): HostError {
  return new HostError("THREAD_CLOSED", `Cannot use the thread ${quote(thread)}: it is not open`);
}

/** The host is closed. */
export function closedError(): HostError {
  return new HostError("HOST_CLOSED", "Cannot use the servers: the host is closed");
}

/** Something changed while the thread connected to `server`. */
export function changedMeanwhile(server: string): EnterpriseError {
  const state = "its authorization changed meanwhile. Try again";
  return new EnterpriseError("SUPERSEDED", `Cannot use the server ${quote(server)}: ${state}`);
}

/** The thread's account changed while it used `server`. */
export function accountChanged(server: string): EnterpriseError {
  const reason = "account-changed";
  const state = guidance({ kind: "reconnect", because: reason }, { server, provider: null });
  return new EnterpriseError("REAUTHORIZATION_REQUIRED", `Cannot use the server ${quote(server)}: ${state}`, {
    reason,
  });
}

/** A connection to `server` came to its end; `state` says why. */
export function connectionLost(server: string, state: string): HostError {
  return new HostError("CONNECTION_LOST", `Cannot use the connection to ${quote(server)}: ${state}`, {
    server,
  });
}

/** What is said when connecting takes too long: the server has not answered. */
export const SERVER_LATE = "it is not ready in its time";

/** What is said when connecting takes too long while a token is being got: the server is not to blame. */
export function tokenLate(server: string): string {
  const next = /^[\w.-]+$/.test(server) ? server : "NAME";
  return `its access token did not come in time. Find out what does not answer: codex-mcp doctor ${next}`;
}

/** An error that may be shown: one of the SDK may quote what the server wrote. */
export function connectError(error: unknown, server: string): EnterpriseError | HostError {
  if (error instanceof EnterpriseError || error instanceof HostError) return error;
  const cause = redactError(error);
  const what = `Cannot connect to the server ${quote(server)}`;
  if (cause.code === "REQUEST_TIMEOUT") {
    return new HostError("SERVER_TIMEOUT", `${what}: it does not answer`, { server, cause });
  }
  const status = ownProperty(error instanceof Error ? ownProperty(error, "data") : null, "status");
  const state = typeof status === "number" ? `it answers ${status}` : "it does not speak the protocol";
  return new HostError("SERVER_UNAVAILABLE", `${what}: ${state}`, { server, cause });
}
