/**
 * What a call ends with when something goes wrong on the way: an error of ours for each of the SDK's. Nothing of an
 * answer's body is in it, but the message of a JSON-RPC error, quoted and cut.
 *
 * | what the SDK says | ours |
 * |---|---|
 * | an error of ours, whatever it is wrapped in | that |
 * | an error of the server | `PROTOCOL_ERROR` with its code |
 * | a result that its schema does not allow | `RESULT_INVALID` |
 * | an answer that the protocol does not allow | `PROTOCOL_ERROR` |
 * | an HTTP status 401, 403, 429 or from 500 | `SERVER_UNAVAILABLE` |
 * | another HTTP status | `PROTOCOL_ERROR` |
 * | a list that is too long to be put together | `PROTOCOL_ERROR` |
 * | anything else: the connection | `CONNECTION_LOST` |
 *
 * @module
 */

import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { CodexMcpError, HostError, type HostErrorCode, quote } from "../../../../core/errors.ts";
import { redactError } from "../../../http/transport/redact.ts";

/** Which call it was. */
export interface FailedCall {
  /** Name of the server. */
  readonly server: string;
  /** Name of the tool, or `null` for another request. */
  readonly tool: string | null;
  /** Whether the error came from the server or the connection, and not from a check of what the server answered. */
  readonly fromOutside: boolean;
}

/** How deep a cause is looked for. */
const DEPTH = 8;

/** The error of ours that `error` is, or is wrapped in; `null`: there is none. */
export function ownErrorIn(error: unknown): CodexMcpError | null {
  for (let one = error, depth = 0; one instanceof Error && depth < DEPTH; one = one.cause, depth += 1) {
    if (one instanceof CodexMcpError) return one;
  }
  return null;
}

/** The error that a call ends with. */
export function callError(error: unknown, call: FailedCall): CodexMcpError {
  const own = ownErrorIn(error);
  if (own !== null) return own;
  if (error instanceof ProtocolError) return protocolError(error, call);
  if (error instanceof UnauthorizedError) {
    return failure("SERVER_UNAVAILABLE", "it refuses the credentials", { call, error });
  }
  if (error instanceof SdkHttpError) return httpError(error, call);
  if (error instanceof SdkError) return sdkError(error, call);
  // the SDK puts pages together in one step, which has a limit
  if (error instanceof RangeError && call.tool === null) {
    return failure("PROTOCOL_ERROR", "its list is longer than this host takes", { call, error });
  }
  return failure("CONNECTION_LOST", LOST, { call, error });
}

const LOST = "the connection was lost. Whether the tool ran is not known";

function protocolError(error: ProtocolError, call: FailedCall): HostError {
  if (!call.fromOutside) {
    const state = "the result does not match the schema that the tool promises";
    return failure("RESULT_INVALID", state, { call, error });
  }
  const state = `it answered with the error ${error.code}: ${quote(error.message)}`;
  return new HostError("PROTOCOL_ERROR", `${beginning(call)}: ${state}`, {
    server: call.server,
    rpcCode: error.code,
  });
}

function httpError(error: SdkHttpError, call: FailedCall): HostError {
  const { status } = error;
  const refused = status === 401 || status === 403 || status === 429 || status >= 500;
  const code = refused ? "SERVER_UNAVAILABLE" : "PROTOCOL_ERROR";
  return failure(code, `it answered with the HTTP status ${status}`, { call, error });
}

function sdkError(error: SdkError, call: FailedCall): HostError {
  const invalid = INVALID.includes(error.code as SdkErrorCode);
  return invalid
    ? failure("PROTOCOL_ERROR", "its answer is none that the protocol allows", { call, error })
    : failure("CONNECTION_LOST", LOST, { call, error });
}

const INVALID: readonly SdkErrorCode[] = [
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.ClientHttpUnexpectedContent,
  SdkErrorCode.ListPaginationExceeded,
];

function failure(
  code: HostErrorCode,
  state: string,
  { call, error }: { readonly call: FailedCall; readonly error: unknown },
): HostError {
  return new HostError(code, `${beginning(call)}: ${state}`, {
    server: call.server,
    cause: redactError(error),
  });
}

function beginning({ server, tool }: FailedCall): string {
  return tool === null
    ? `Cannot list the tools of ${quote(server)}`
    : `Cannot call ${quote(tool)} at ${quote(server)}`;
}
