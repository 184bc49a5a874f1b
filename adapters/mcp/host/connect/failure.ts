/**
 * What a failure to connect means: from an error of the process port, the SDK or the network to ours, which quotes
 * nothing that a server wrote, and of the configuration the names of variables alone.
 *
 * @module
 */

import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/client";
import { HostError, type HostErrorCode, ProcessError, quote } from "../../../../core/errors.ts";
import type { EraFailure } from "./era_plan.ts";
import { RefusedRequestError } from "./http/refused_request.ts";
import { UnreachableError } from "./http/server_fetch.ts";
import type { ConnectionFailure, ConnectionFailureReason } from "./server_connection.ts";

/** An attempt that failed. */
export interface Failed {
  /** What its callers are told. */
  readonly error: HostError;
  /** What the state says. */
  readonly failure: ConnectionFailure;
  /** What it says about the era of the server; `undefined`: nothing. */
  readonly era?: EraFailure | undefined;
}

/** How a server ended by itself, to follow its name in a sentence. */
export interface Ending {
  /** What ended. */
  readonly reason: Extract<ConnectionFailureReason, "ended" | "session">;
  /** How. */
  readonly state: string;
}

/** What a failure is made of. */
export interface FailureParts {
  /** What kind it is. */
  readonly reason: ConnectionFailureReason;
  /** What happened, to follow the name of the server in a sentence. */
  readonly state: string;
  /** Absent: `SERVER_UNAVAILABLE`. */
  readonly code?: HostErrorCode;
  /** What it says about the era. */
  readonly era?: EraFailure;
  /** Status of the answer. */
  readonly status?: number;
}

/** Whether waiting would not help: somebody has to change something first. */
export function isPermanent({ reason }: Pick<ConnectionFailure, "reason">): boolean {
  return ["program", "directory", "variable", "header", "url", "sending"].includes(reason);
}

/** A failure to connect to `server`. */
export function failed(server: string, parts: FailureParts): Failed {
  const { reason, state, code = "SERVER_UNAVAILABLE", era, status } = parts;
  const message = `Cannot connect to the server ${quote(server)}: ${state}`;
  return {
    error: new HostError(code, message, { server }),
    failure: { code, reason, message, ...(status === undefined ? {} : { status }) },
    era,
  };
}

/** What an error that was thrown on the way to `server` means. */
export function describeFailure(
  error: unknown,
  { server, ended, unset = [] }: {
    readonly server: string;
    /** How the server ended by itself; `null`: it did not. */
    readonly ended: Ending | null;
    /** Variables of credentials that are not set. */
    readonly unset?: readonly string[];
  },
): Failed {
  const parts = processParts(error) ?? (ended === null ? null : endedParts(ended)) ??
    sdkParts(error, unset) ??
    requestParts(error) ??
    { reason: "protocol", state: "it does not answer as an MCP server", era: "confused" };
  return failed(server, parts);
}

function endedParts({ reason, state }: Ending): FailureParts {
  return { reason, state: `${state} before it was ready`, era: "ended" };
}

function processParts(error: unknown): FailureParts | null {
  if (!(error instanceof ProcessError)) return null;
  if (error.code === "PROGRAM_NOT_FOUND") return { reason: "program", state: "its program does not exist" };
  if (error.code === "PROGRAM_NOT_EXECUTABLE") {
    return { reason: "program", state: "its program cannot be executed, or is a script without #!" };
  }
  if (error.code === "DIRECTORY_NOT_FOUND") {
    return { reason: "directory", state: "its working directory does not exist" };
  }
  if (error.code === "ARGUMENTS_TOO_LARGE") {
    return { reason: "spawn", state: "its arguments are too large for the system" };
  }
  return { reason: "spawn", state: "the system refused to start it" };
}

function sdkParts(error: unknown, unset: readonly string[]): FailureParts | null {
  if (error instanceof SdkHttpError) return statusParts(error.status, unset);
  if (error instanceof UnsupportedProtocolVersionError) {
    return {
      reason: "protocol",
      state: "it speaks none of the revisions that are asked for",
      era: "refused",
    };
  }
  if (error instanceof ProtocolError) {
    const state = `it answered the handshake with the error ${Number(error.code)}`;
    return { reason: "protocol", state, era: "refused" };
  }
  if (!(error instanceof SdkError)) return null;
  if (error.code === SdkErrorCode.RequestTimeout) {
    return { reason: "timeout", code: "SERVER_TIMEOUT", state: "it did not answer in time", era: "silent" };
  }
  if (error.code === SdkErrorCode.ConnectionClosed) {
    return endedParts({ reason: "ended", state: "the connection ended" });
  }
  if (error.code !== SdkErrorCode.EraNegotiationFailed || error.cause !== undefined) return null;
  return { reason: "protocol", state: "it does not speak the revision that is configured" };
}

function statusParts(status: number, unset: readonly string[]): FailureParts {
  if (status === 401 || status === 403) {
    const names = unset.length === 0 ? "" : `; not set: ${unset.map(quote).join(", ")}`;
    return { reason: "status", state: `it answered ${status}: check its credentials${names}`, status };
  }
  const state = status === 404 ? "it answered 404: check its url" : `it answered ${status}`;
  return { reason: "status", state, status, ...(status >= 500 ? { era: "confused" as const } : {}) };
}

/** What our own `fetch` threw, however the SDK wrapped it. */
function requestParts(error: unknown): FailureParts | null {
  for (let one = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth += 1) {
    if (one instanceof RefusedRequestError) return one.refusal;
    if (one instanceof UnreachableError) {
      const code = one.code === null ? "" : ` (${one.code})`;
      return { reason: "network", state: `there is no answer${code}` };
    }
  }
  return null;
}
