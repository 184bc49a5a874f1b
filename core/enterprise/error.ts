/**
 * The error of enterprise-managed authorization: one class, one closed union of codes. The base class and the errors
 * of the other concerns are in `core/errors.ts`; the finer reasons stand beside the checks that give them.
 *
 * No message, field or cause ever holds a token, a secret, a header or a response body.
 *
 * @module
 */

import {
  CodexMcpError,
  type HostError,
  type JsonError,
  type ProcessError,
  type SandboxError,
  type SessionError,
} from "../errors.ts";

/** What can go wrong with enterprise-managed authorization. */
export type EnterpriseErrorCode =
  /** The configuration breaks a rule: `reason` is the fault's code, `field` its path. */
  | "CONFIGURATION_REFUSED"
  /** The managed configuration could not be read this time. */
  | "CONFIGURATION_UNAVAILABLE"
  /** The server is configured and switched off, and `reason` says why. */
  | "SERVER_DISABLED"
  /** The configuration requires the extension, and the server does not advertise it. */
  | "EXTENSION_REQUIRED"
  /** A URL breaks the rules for addresses. */
  | "URL_REFUSED"
  /** A discovery document is missing, malformed or names someone else. */
  | "DISCOVERY_REFUSED"
  /** The answer to the token exchange, or the ID-JAG in it, fails a check. */
  | "EXCHANGE_REFUSED"
  /** The answer to the redemption of the ID-JAG fails a check. */
  | "REDEMPTION_REFUSED"
  /** The identity is not the expected one, or changed in a renewal. */
  | "IDENTITY_REFUSED"
  /** No grant is stored for this account, or its identity expired. */
  | "SIGN_IN_REQUIRED"
  /** The identity provider asks for a stronger sign-in. */
  | "STRONGER_SIGN_IN_REQUIRED"
  /** The thread's authorization was revoked: it must be authorized again. */
  | "REAUTHORIZATION_REQUIRED"
  /** The administrator's policy denies this server. */
  | "ADMINISTRATOR_REFUSED"
  /** A client registration or its credential was refused. */
  | "CLIENT_REFUSED"
  /** A scope was refused, or is not allowed by the configuration. */
  | "SCOPE_REFUSED"
  /** The identity provider or the authorization server refused what was presented. */
  | "ASSERTION_REFUSED"
  /** The network, a server or a limit of requests: the same may work later. */
  | "TEMPORARILY_UNAVAILABLE"
  /** Something changed while a sign-in, exchange or renewal ran, and its result was dropped. */
  | "SUPERSEDED"
  /** A stored grant is not one of ours. */
  | "GRANT_MALFORMED"
  /** A stored grant was written by a newer version. */
  | "GRANT_VERSION_UNSUPPORTED"
  /** The grant does not fit into a credential of every system. */
  | "GRANT_TOO_LARGE"
  /** The marker beside the lock is not one of ours, or cannot be read. */
  | "MARKER_MALFORMED"
  /** Random bytes or a digest have the wrong size. */
  | "RANDOM_MALFORMED"
  /** The system has no keyring that can be used. */
  | "KEYRING_ABSENT"
  /** The keyring is there, and locked, denied or silent. */
  | "KEYRING_LOCKED"
  /** What was written to the keyring could not be read back. */
  | "KEYRING_UNRELIABLE"
  /** Another process held the lock for too long. */
  | "LOCK_TIMEOUT";

/** Which of the two requests a verdict or an error belongs to. */
export type Leg = "token-exchange" | "redemption";

/** What an {@linkcode EnterpriseError} says beside its code. None of it ever holds a token or a secret. */
export interface EnterpriseErrorDetails {
  /** What the runtime itself said; never an error that carries a response. */
  readonly cause?: unknown;
  /** The finer reason, from the closed union of the check that refused. */
  readonly reason?: string;
  /** The specification and section that the check stands on. */
  readonly section?: string;
  /** Which request was refused. */
  readonly leg?: Leg;
  /** Path of the offending field of the configuration. */
  readonly field?: string;
}

/** Enterprise-managed authorization was refused, is missing, or could not be had. */
export class EnterpriseError extends CodexMcpError<EnterpriseErrorCode> {
  /** Survives minification, unlike the class's own name. */
  override readonly name = "EnterpriseError";
  /** The finer reason; `undefined` when the code says it all. */
  readonly reason: string | undefined;
  /** The specification and section of the check; `undefined` when none applies. */
  readonly section: string | undefined;
  /** Which request was refused; `undefined` when it was neither. */
  readonly leg: Leg | undefined;
  /** Path of the offending field of the configuration; `undefined` when it is not about one. */
  readonly field: string | undefined;

  /** Creates the error. */
  constructor(code: EnterpriseErrorCode, message: string, details: EnterpriseErrorDetails = {}) {
    super(code, message, "cause" in details ? { cause: details.cause } : undefined);
    this.reason = details.reason;
    this.section = details.section;
    this.leg = details.leg;
    this.field = details.field;
  }
}

/** Every error of this package, for an exhaustive `switch` over `code`. */
export type AnyError = SandboxError | ProcessError | JsonError | SessionError | HostError | EnterpriseError;
