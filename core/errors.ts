/**
 * Every error that this package throws: one base class, one subclass a concern, one closed union of codes
 * each. A code never changes its meaning. Messages read `Cannot <action> <value>: <state>` and never hold a
 * policy, an environment, a token or a secret; untrusted text in them is JSON-encoded and cut.
 *
 * @module
 */

/** What can be wrong with a call's authority or with a command that is to run under it. */
export type SandboxErrorCode =
  /** No sandbox state came with the call. */
  | "STATE_MISSING"
  /** Two copies of the state differ. */
  | "STATE_CONFLICT"
  /** The state holds a value that JavaScript cannot write back as it came. */
  | "STATE_INEXACT"
  /** The state does not fit into an argument of the platform. */
  | "STATE_TOO_LARGE"
  /** A state came, but no launcher to run it with. */
  | "LAUNCHER_MISSING"
  /** A launcher came that must not be used. */
  | "LAUNCHER_INVALID"
  /** The authority differs from the one that is retained. */
  | "AUTHORITY_CHANGED"
  /** The command, its directory or a modifier cannot be passed on as it is. */
  | "COMMAND_INVALID"
  /** The operator refuses states with this permission profile. */
  | "PROFILE_REFUSED"
  /** The state names no project directory that can be read. */
  | "DIRECTORY_UNKNOWN"
  /** The state's project directory is one of another system or machine. */
  | "DIRECTORY_NOT_NATIVE";

/** What can go wrong when a program is started. */
export type ProcessErrorCode =
  /** The program does not exist. */
  | "PROGRAM_NOT_FOUND"
  /** The program exists, and may not be executed or is none. */
  | "PROGRAM_NOT_EXECUTABLE"
  /** The working directory does not exist. */
  | "DIRECTORY_NOT_FOUND"
  /** The system refuses arguments of this size. */
  | "ARGUMENTS_TOO_LARGE"
  /** The system refused for another reason, kept in `cause`. */
  | "SPAWN_FAILED";

/** What can be wrong with a JSON text. */
export type JsonErrorCode =
  /** The text is not JSON. */
  | "JSON_MALFORMED"
  /** An object names a key twice. */
  | "JSON_DUPLICATE_KEY";

/** What can be wrong with the use of a session: a process that outlives the call that started it. */
export type SessionErrorCode =
  /** No session of the caller's thread has this id. */
  | "SESSION_UNKNOWN"
  /** The session's process has ended, or takes no more input. */
  | "SESSION_ENDED"
  /** The session's process has not yet read what it was sent before. */
  | "SESSION_BUSY"
  /** As many sessions run as the operator allows. */
  | "SESSION_LIMIT"
  /** An argument of the call cannot be read. */
  | "SESSION_INVALID";

/** What can go wrong between a host and the servers that it is configured with. */
export type HostErrorCode =
  /** The configuration of the ordinary servers cannot be used as it is. */
  | "CONFIGURATION_INVALID"
  /** The configuration names no server of this name. */
  | "SERVER_UNKNOWN"
  /** The configuration switches the server off, or a rule disables it. */
  | "SERVER_DISABLED"
  /** The server could not be started or reached. */
  | "SERVER_UNAVAILABLE"
  /** The server did not get ready in its time. */
  | "SERVER_TIMEOUT"
  /** The connection went away during the call. Whether the tool ran is not known. */
  | "CONNECTION_LOST"
  /** The server offers no tool of this name. */
  | "TOOL_UNKNOWN"
  /** The configuration keeps the tool from being called. */
  | "TOOL_DISABLED"
  /** The call took longer than it may. */
  | "CALL_TIMEOUT"
  /** The caller cancelled the call. */
  | "CALL_CANCELLED"
  /** The server answered with an error of the protocol, or with what the protocol does not allow. */
  | "PROTOCOL_ERROR"
  /** The result does not match the schema that the tool promises. */
  | "RESULT_INVALID"
  /** The server asks for input, and the host has nobody to ask. */
  | "INPUT_REQUIRED"
  /** The thread is closed. */
  | "THREAD_CLOSED"
  /** The host is closed. */
  | "HOST_CLOSED";

/** Base of every error of this package: a message for people, a code for programs. */
export abstract class CodexMcpError<Code extends string = string> extends Error {
  /** Stable code, from the closed union of the subclass. */
  readonly code: Code;

  /** Creates the error; `options.cause` is kept for what the runtime itself said. */
  constructor(code: Code, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** A call's authority is missing, unusable, in conflict or changed, or a command does not fit it. */
export class SandboxError extends CodexMcpError<SandboxErrorCode> {
  /** Survives minification, unlike the class's own name. */
  override readonly name = "SandboxError";
}

/** A program could not be started. */
export class ProcessError extends CodexMcpError<ProcessErrorCode> {
  /** Survives minification, unlike the class's own name. */
  override readonly name = "ProcessError";
}

/** A JSON text was refused. */
export class JsonError extends CodexMcpError<JsonErrorCode> {
  /** Survives minification, unlike the class's own name. */
  override readonly name = "JsonError";
  /** Where in the text, in UTF-16 code units from its beginning; `undefined` when that was not looked for. */
  readonly offset: number | undefined;

  /** Creates the error; `options.offset` is the place in the text. */
  constructor(
    code: JsonErrorCode,
    message: string,
    options?: { readonly cause?: unknown; readonly offset?: number },
  ) {
    super(code, message, options);
    this.offset = options?.offset;
  }
}

/** A session was not used, and nothing was done with it. */
export class SessionError extends CodexMcpError<SessionErrorCode> {
  /** Survives minification, unlike the class's own name. */
  override readonly name = "SessionError";
}

/** A host could not use a server, or a tool of it. */
export class HostError extends CodexMcpError<HostErrorCode> {
  /** Survives minification, unlike the class's own name. */
  override readonly name = "HostError";
  /** Name of the server; `undefined` when none is concerned. */
  readonly server: string | undefined;
  /** Code of the JSON-RPC error, with `PROTOCOL_ERROR` when the server sent one. */
  readonly rpcCode: number | undefined;

  /** Creates the error; `options` say which server is concerned and what it answered. */
  constructor(
    code: HostErrorCode,
    message: string,
    options?: { readonly cause?: unknown; readonly server?: string; readonly rpcCode?: number },
  ) {
    super(code, message, options);
    this.server = options?.server;
    this.rpcCode = options?.rpcCode;
  }
}

/** Untrusted text as it may stand in a message: JSON-encoded and cut after 80 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
