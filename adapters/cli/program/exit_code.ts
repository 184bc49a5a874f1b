/**
 * Exit codes of the command line, and which error means which.
 *
 * @module
 */

import { EnterpriseError, type EnterpriseErrorCode } from "../../../core/enterprise/error.ts";
import { HostError, type HostErrorCode, ProcessError, SandboxError } from "../../../core/errors.ts";
import { InterruptedError } from "../terminal/interruption.ts";
import { MissingPackageError } from "./missing_package.ts";

/** What an exit code says. */
export const EXIT = {
  /** It was done. */
  done: 0,
  /** The tool reported an error, or a check failed. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Refused: authority, sandbox, policy, configuration, administrator, client, scope. */
  refused: 3,
  /** A sign-in is needed, or a stronger one. */
  signIn: 4,
  /** Unavailable for now: network, identity provider, keyring, configuration that cannot be loaded. */
  unavailable: 5,
  /** `exec` alone: refused, or the chain itself failed. As `env` and `docker run` have it. */
  chain: 125,
} as const;

/** The command line is wrong; the message says what to write instead. */
export class UsageError extends Error {
  /** Survives minification. */
  override readonly name = "UsageError";
}

const ENTERPRISE: Readonly<Record<EnterpriseErrorCode, number>> = {
  CONFIGURATION_REFUSED: EXIT.refused,
  SERVER_DISABLED: EXIT.refused,
  EXTENSION_REQUIRED: EXIT.refused,
  URL_REFUSED: EXIT.refused,
  DISCOVERY_REFUSED: EXIT.refused,
  EXCHANGE_REFUSED: EXIT.refused,
  REDEMPTION_REFUSED: EXIT.refused,
  IDENTITY_REFUSED: EXIT.refused,
  REAUTHORIZATION_REQUIRED: EXIT.refused,
  ADMINISTRATOR_REFUSED: EXIT.refused,
  CLIENT_REFUSED: EXIT.refused,
  SCOPE_REFUSED: EXIT.refused,
  ASSERTION_REFUSED: EXIT.refused,
  GRANT_TOO_LARGE: EXIT.refused,
  SIGN_IN_REQUIRED: EXIT.signIn,
  STRONGER_SIGN_IN_REQUIRED: EXIT.signIn,
  GRANT_MALFORMED: EXIT.signIn,
  GRANT_VERSION_UNSUPPORTED: EXIT.signIn,
  CONFIGURATION_UNAVAILABLE: EXIT.unavailable,
  TEMPORARILY_UNAVAILABLE: EXIT.unavailable,
  SUPERSEDED: EXIT.unavailable,
  MARKER_MALFORMED: EXIT.unavailable,
  KEYRING_ABSENT: EXIT.unavailable,
  KEYRING_LOCKED: EXIT.unavailable,
  KEYRING_UNRELIABLE: EXIT.unavailable,
  LOCK_TIMEOUT: EXIT.unavailable,
  RANDOM_MALFORMED: EXIT.failed,
};

const HOST: Readonly<Record<HostErrorCode, number>> = {
  CONFIGURATION_INVALID: EXIT.refused,
  SERVER_UNKNOWN: EXIT.usage,
  SERVER_DISABLED: EXIT.refused,
  SERVER_UNAVAILABLE: EXIT.unavailable,
  SERVER_TIMEOUT: EXIT.unavailable,
  CONNECTION_LOST: EXIT.unavailable,
  TOOL_UNKNOWN: EXIT.usage,
  TOOL_DISABLED: EXIT.refused,
  CALL_TIMEOUT: EXIT.unavailable,
  CALL_CANCELLED: EXIT.failed,
  PROTOCOL_ERROR: EXIT.failed,
  RESULT_INVALID: EXIT.failed,
  INPUT_REQUIRED: EXIT.failed,
  THREAD_CLOSED: EXIT.failed,
  HOST_CLOSED: EXIT.failed,
};

/** Whether `code` is one of a host's errors. */
export function isHostErrorCode(code: string): code is HostErrorCode {
  return Object.hasOwn(HOST, code);
}

/** Exit code for what a host says about a server; a code of nobody's is a failure. */
export function hostExitCode(code: string): number {
  return isHostErrorCode(code) ? HOST[code] : EXIT.failed;
}

/** Exit code for an error that ends a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof EnterpriseError) return ENTERPRISE[error.code];
  if (error instanceof HostError) return HOST[error.code];
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof SandboxError) return EXIT.refused;
  if (error instanceof ProcessError || error instanceof MissingPackageError) return EXIT.unavailable;
  if (error instanceof InterruptedError && error.signal !== null) return signalExitCode(error.signal);
  return EXIT.failed;
}

/** Exit code of a shell for a command that a signal ended: 128 and the signal's number on Linux. */
export function signalExitCode(signal: string): number {
  const numbers: Readonly<Record<string, number>> = {
    SIGHUP: 1,
    SIGINT: 2,
    SIGQUIT: 3,
    SIGILL: 4,
    SIGTRAP: 5,
    SIGABRT: 6,
    SIGBUS: 7,
    SIGFPE: 8,
    SIGKILL: 9,
    SIGUSR1: 10,
    SIGSEGV: 11,
    SIGUSR2: 12,
    SIGPIPE: 13,
    SIGALRM: 14,
    SIGTERM: 15,
  };
  return 128 + (numbers[signal] ?? 0);
}
