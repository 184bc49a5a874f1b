/**
 * The error that a caller gets when a thread may not use a server: the code for programs, the sentence of the status
 * for people.
 *
 * Why a use is refused is decided in `core/enterprise/authorization/use.ts`, what the sentence says in
 * `core/enterprise/status/status_text.ts`.
 *
 * @module
 */

import type { AuthorizationState, ServerBlock } from "../../../core/enterprise/authorization/state.ts";
import { serverOf, threadOf } from "../../../core/enterprise/authorization/state.ts";
import type { ThreadUse, UseRefusal } from "../../../core/enterprise/authorization/use.ts";
import {
  EnterpriseError,
  type EnterpriseErrorCode,
  type EnterpriseErrorDetails,
} from "../../../core/enterprise/error.ts";
import type { ServerStatus } from "../../../core/enterprise/status/status.ts";
import { guidance } from "../../../core/enterprise/status/status_text.ts";
import { quote } from "../../../core/errors.ts";

/** What an error is made of. */
export interface UseErrorContext extends ThreadUse {
  /** The state that refused. */
  readonly state: AuthorizationState;
  /** The status of the server for the thread. */
  readonly status: ServerStatus;
  /** Name of the identity provider. */
  readonly provider: string;
}

/** The error for `refusal`. */
export function useError(refusal: UseRefusal, context: UseErrorContext): EnterpriseError {
  const [code, details] = codeOf(refusal, context);
  const state = refusal === "server-unknown"
    ? "the configuration does not name it"
    : context.status.kind === "ready"
    ? "its authorization changed. Try again"
    : guidance(context.status, context);
  const message = `Cannot use the server ${quote(context.server)}: ${state}`;
  return new EnterpriseError(code, message, details);
}

type Coded = readonly [code: EnterpriseErrorCode, details?: EnterpriseErrorDetails];

function codeOf(refusal: UseRefusal, { state, thread, server }: UseErrorContext): Coded {
  switch (refusal) {
    case "configuration":
      return state.configuration.kind === "rejected"
        ? ["CONFIGURATION_REFUSED", { field: state.configuration.field }]
        : ["CONFIGURATION_UNAVAILABLE"];
    case "marker":
      return ["MARKER_MALFORMED"];
    case "server-unknown":
      return ["SERVER_DISABLED", { reason: "SERVER_UNKNOWN" }];
    case "server-disabled":
      return ["SERVER_DISABLED", { reason: serverOf(state, server)?.disabled ?? "SERVER_UNKNOWN" }];
    case "thread-unknown":
    case "thread-revoked":
    case "thread-outdated": {
      if (state.grant === null) return ["SIGN_IN_REQUIRED", { reason: state.gone }];
      const reason = threadOf(state, { thread, server })?.revoked ?? refusal;
      return ["REAUTHORIZATION_REQUIRED", { reason }];
    }
    case "not-signed-in":
      return ["SIGN_IN_REQUIRED", { reason: state.gone }];
    case "server-blocked": {
      const block = serverOf(state, server)?.block ?? null;
      return block === null ? ["SUPERSEDED"] : blockCode(block);
    }
    case "keyring-closed":
      return [state.keyring === "absent" ? "KEYRING_ABSENT" : "KEYRING_LOCKED"];
    case "lease-unknown":
    case "lease-foreign":
    case "lease-expired":
      return ["SUPERSEDED", { reason: refusal }];
  }
}

function blockCode(block: ServerBlock): Coded {
  switch (block.kind) {
    case "grant-in-doubt":
      return ["TEMPORARILY_UNAVAILABLE", { reason: block.kind }];
    case "identity-refused":
      return ["ASSERTION_REFUSED", { reason: block.kind, leg: "token-exchange" }];
    case "identity-expired":
      return ["SIGN_IN_REQUIRED", { reason: block.kind }];
    case "administrator":
      return ["ADMINISTRATOR_REFUSED", { leg: block.leg }];
    case "assertion":
      return ["ASSERTION_REFUSED", { leg: "redemption" }];
    case "client":
      return ["CLIENT_REFUSED", { leg: block.leg }];
    case "scope":
      return ["SCOPE_REFUSED", { leg: block.leg }];
    case "stronger-sign-in":
      return ["STRONGER_SIGN_IN_REQUIRED"];
    case "binding":
      return [legCode(block.leg), { reason: "key-bound", leg: block.leg }];
    case "misconfigured":
      return [legCode(block.leg), { reason: block.kind, leg: block.leg }];
    case "moved":
      return ["DISCOVERY_REFUSED", { reason: `${block.what}-moved` }];
    case "bearer-refused":
      return ["REAUTHORIZATION_REQUIRED", { reason: block.kind }];
  }
}

function legCode(leg: "token-exchange" | "redemption"): EnterpriseErrorCode {
  return leg === "token-exchange" ? "EXCHANGE_REFUSED" : "REDEMPTION_REFUSED";
}
