/**
 * What each status says to people and to scripts: one table of sentences that name the next command, and one of exit
 * codes. Which status a server has is decided in `status.ts`.
 *
 * @module
 */

import { placeOf } from "../../configuration/layers/fault.ts";
import { DEFAULT_PROVIDER } from "../config/provider.ts";
import type { Leg } from "../error.ts";
import type { ServerStatus } from "./status.ts";

/** Exit code of a status: 0 ready, 3 refused, 4 sign-in needed, 5 unavailable. */
export type StatusExitCode = 0 | 3 | 4 | 5;

const EXIT_CODES: Readonly<Record<ServerStatus["kind"], StatusExitCode>> = {
  "ready": 0,
  "disabled": 3,
  "configuration-rejected": 3,
  "reconnect": 3,
  "moved": 3,
  "misconfigured": 3,
  "identity-refused": 3,
  "administrator-denied": 3,
  "assertion-refused": 3,
  "client-refused": 3,
  "scope-refused": 3,
  "binding-unsupported": 3,
  "extension-required": 3,
  "signed-out": 4,
  "stronger-sign-in": 4,
  "configuration-unavailable": 5,
  "keyring-absent": 5,
  "keyring-locked": 5,
  "marker-unreadable": 5,
  "unavailable": 5,
};

/** The exit code of `status`. */
export function statusExitCode(status: ServerStatus): StatusExitCode {
  return EXIT_CODES[status.kind];
}

/** The exit code of several: the highest; 0 for none. */
export function worstExitCode(statuses: readonly ServerStatus[]): StatusExitCode {
  return statuses.map(statusExitCode).reduce((worst, code) => code > worst ? code : worst, 0);
}

/** Who the sentence is about. Both names are those of the configuration. */
export interface GuidanceOptions {
  /** Name of the server. */
  readonly server: string;
  /** Name of its identity provider; `null` when it is not known, as with a disabled server. */
  readonly provider: string | null;
}

/** The command that signs in at `provider`. */
export function loginCommand(provider: string | null): string {
  return provider === null || provider === DEFAULT_PROVIDER
    ? "codex-mcp login"
    : `codex-mcp login --idp ${provider}`;
}

/**
 * What `status` means and what to do next.
 *
 * @example
 * ```ts
 * import { guidance } from "./status_text.ts";
 *
 * const status = { kind: "signed-out", because: "not-signed-in" } as const;
 * console.log(guidance(status, { server: "tracker", provider: "acme" }));
 * // Not signed in with this account. Run: codex-mcp login --idp acme
 * ```
 */
export function guidance(status: ServerStatus, { server, provider }: GuidanceOptions): string {
  const login = loginCommand(provider);
  // what a request with credentials came to, only such a request shows again
  const doctor = `codex-mcp doctor ${server} --connect`;
  switch (status.kind) {
    case "ready":
      return `Signed in${status.until === null ? "" : ", without a refresh token"}. ` +
        `${status.extension === "unknown" ? "Whether the server knows the extension is not known. " : ""}` +
        `Run: codex-mcp tools ${server}`;
    case "disabled":
      return `Disabled by ${placeOf(status.field, status.layer)} (${status.code}). ` +
        (status.code === "FEATURE_OFF"
          ? "Set use_xaa = true under [features], then run"
          : "Correct it and run") +
        ": codex-mcp status";
    case "configuration-rejected":
      return `The configuration is rejected: ${placeOf(status.field, status.layer)}. ` +
        "Correct it and run: codex-mcp status";
    case "configuration-unavailable":
      return "The managed configuration cannot be read now. Try again: codex-mcp status";
    case "keyring-absent":
      return `This system has no keyring to keep a sign-in in. Start one, then run: ${login}`;
    case "keyring-locked":
      return "The keyring is locked. Unlock it, then run: codex-mcp status";
    case "marker-unreadable":
      return `The record of the current sign-in cannot be read. Run: ${login}`;
    case "signed-out":
      return `${SIGNED_OUT[status.because]} Run: ${login}`;
    case "stronger-sign-in":
      return `The identity provider asks for a stronger sign-in for this server. Run: ${login}`;
    case "reconnect":
      return status.because === "bearer-refused"
        ? `The server refused two access tokens in a row. Reconnect, or run: ${doctor}`
        : `The authorization of this thread is void (${status.because}). Reconnect it to authorize it again, ` +
          "or run: codex-mcp status";
    case "moved":
      return `Misconfigured: ${
        MOVED[status.what]
      }. If that is meant, correct the configuration; run: codex-mcp doctor ${server}`;
    case "misconfigured":
      return `Misconfigured: ${
        who(status.leg)
      } does not answer as a token endpoint for this request. Run: ${doctor}`;
    case "identity-refused":
      return `The identity provider refused this server, and the sign-in stands. Run: ${doctor}`;
    case "administrator-denied":
      return `Blocked by the administrator: ${who(status.leg)} denies access to this server. ` +
        `Ask the administrator for access, then run: codex-mcp tools ${server}`;
    case "assertion-refused":
      return "The authorization server refused the identity assertion: client id, clock, trust in the identity " +
        `provider, or an unknown user. Run: ${doctor}`;
    case "client-refused":
      return `${capital(who(status.leg))} refused the client registration. Check ${
        CLIENT[status.leg]
      }; run: ${doctor}`;
    case "scope-refused":
      return `${capital(who(status.leg))} refused the scopes. Configure scopes for mcp_servers.${server}; ` +
        `run: ${doctor}`;
    case "binding-unsupported":
      return `${capital(who(status.leg))} asks for tokens bound to a key (DPoP), which is not supported. ` +
        `Have that switched off for this client; run: ${doctor}`;
    case "extension-required":
      return "The server does not advertise enterprise-managed authorization, and require_extension asks for it. " +
        `Run: ${doctor}`;
    case "unavailable":
      return `Temporarily unavailable; the sign-in stands. Try again: codex-mcp tools ${server}`;
  }
}

const SIGNED_OUT: Readonly<Record<Extract<ServerStatus, { kind: "signed-out" }>["because"], string>> = {
  "not-signed-in": "Not signed in with this account.",
  "signed-out": "Signed out.",
  "deleted": "Signed out: the keyring item is gone.",
  "refused": "Signed out: the identity provider no longer accepts the sign-in.",
  "expired": "The sign-in has expired.",
};

const MOVED: Readonly<Record<Extract<ServerStatus, { kind: "moved" }>["what"], string>> = {
  "issuer": "an issuer changed",
  "endpoint": "an endpoint moved",
  "authorization-server": "the server no longer names its authorization server",
};

const CLIENT: Readonly<Record<Leg, string>> = {
  "token-exchange": "client_id, secret and method of the identity provider",
  "redemption": "oauth.client_id, secret and method of the server",
};

function who(leg: Leg): string {
  return leg === "token-exchange"
    ? "the identity provider (token exchange)"
    : "the authorization server (redemption)";
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
