/**
 * The status of an enterprise server: a closed union, computed from stored facts and the time alone, without a request
 * and without a token. The first fact that applies decides, in the order of {@linkcode serverStatus}.
 *
 * The sentence and the exit code of each status are in `status_text.ts`.
 *
 * @module
 */

import { type ConfigurationFaultCode, fieldName } from "../../configuration/layers/fault.ts";
import type { LayerName } from "../../configuration/layers/layer.ts";
import type {
  AuthorizationState,
  ConfigurationState,
  GoneReason,
  KeyringState,
  MovedPart,
  RevokedReason,
  ServerBlock,
} from "../authorization/state.ts";
import { serverOf, threadOf } from "../authorization/state.ts";
import { SERVER_ROOT } from "../config/server_layers.ts";
import type { Leg } from "../error.ts";
import type { ExtensionVerdict } from "../extension.ts";

/** What keeps a server from being used, or that nothing does. */
export type ServerStatus =
  /** Signed in. `until` in epoch seconds: then a new sign-in is needed; `null`: it is renewed. */
  | { readonly kind: "ready"; readonly until: number | null; readonly extension: "advertised" | "unknown" }
  /** A rule of the configuration disables the server. */
  | {
    readonly kind: "disabled";
    readonly code: ConfigurationFaultCode;
    readonly field: string;
    readonly layer: LayerName | null;
  }
  /** The managed configuration is invalid. */
  | { readonly kind: "configuration-rejected"; readonly field: string; readonly layer: LayerName | null }
  /** The managed configuration could not be read. */
  | { readonly kind: "configuration-unavailable" }
  /** The system has no keyring that can be used. */
  | { readonly kind: "keyring-absent" }
  /** The keyring is locked, denied or silent. */
  | { readonly kind: "keyring-locked" }
  /** The marker of the sign-in cannot be read. */
  | { readonly kind: "marker-unreadable" }
  /** Nobody is signed in for this account, or no more. */
  | { readonly kind: "signed-out"; readonly because: GoneReason | "expired" }
  /** The identity provider asks for a stronger sign-in. */
  | { readonly kind: "stronger-sign-in" }
  /** This thread's authorization is void; another sign-in, or none, is in force. */
  | { readonly kind: "reconnect"; readonly because: RevokedReason | "bearer-refused" }
  /** An issuer, endpoint or authorization server is not where it was. */
  | { readonly kind: "moved"; readonly what: MovedPart }
  /** A token endpoint answers as none. */
  | { readonly kind: "misconfigured"; readonly leg: Leg }
  /** The identity provider refused this server, and the sign-in stands. */
  | { readonly kind: "identity-refused" }
  /** The administrator's policy denies this server. */
  | { readonly kind: "administrator-denied"; readonly leg: Leg }
  /** The authorization server does not accept the ID-JAG. */
  | { readonly kind: "assertion-refused" }
  /** A client registration was refused. */
  | { readonly kind: "client-refused"; readonly leg: Leg }
  /** A scope was refused. */
  | { readonly kind: "scope-refused"; readonly leg: Leg }
  /** Tokens bound to a key are asked for. */
  | { readonly kind: "binding-unsupported"; readonly leg: Leg }
  /** The extension is required, and the server does not advertise it. */
  | { readonly kind: "extension-required" }
  /** The last attempt met an outage. */
  | { readonly kind: "unavailable" };

/** What is known of the sign-in. */
export interface SignInFacts {
  /** Whether a refresh token is stored. */
  readonly hasRefreshToken: boolean;
  /** When the ID token expires, epoch seconds; `null`: there is none. */
  readonly idTokenExpiresAt: number | null;
}

/** What a status is computed from. Everything but `configuration` may be unknown. */
export interface StatusFacts {
  /** The managed configuration. */
  readonly configuration: ConfigurationState;
  /** The rule that disables the server; `null`: none. */
  readonly fault: {
    readonly code: ConfigurationFaultCode;
    readonly field: string;
    readonly layer: LayerName | null;
  } | null;
  /** The keyring. */
  readonly keyring: KeyringState;
  /** The marker. */
  readonly marker: "readable" | "unreadable";
  /** The stored sign-in; `null`: none, or not readable. */
  readonly signIn: SignInFacts | null;
  /** Why there is none. */
  readonly gone: GoneReason;
  /** What blocks the server; `null`: nothing that is known. */
  readonly block: ServerBlock | null;
  /** Why the thread in question is revoked; `null`: it is not, or none is asked about. */
  readonly revoked: RevokedReason | null;
  /** Whether the last attempt met an outage. */
  readonly unavailable: boolean;
  /** What the server says about the extension; `null`: not asked yet. */
  readonly extension: ExtensionVerdict | null;
  /** Epoch seconds. */
  readonly now: number;
}

/**
 * The status of a server. What counts first: configuration, the server's own fault, keyring, marker, sign-in, what
 * blocks the server, the thread, the extension, an outage.
 */
export function serverStatus(facts: StatusFacts): ServerStatus {
  const { configuration, fault, keyring, signIn, block, now } = facts;
  if (configuration.kind === "rejected") {
    return { kind: "configuration-rejected", field: configuration.field, layer: configuration.layer };
  }
  if (configuration.kind === "unavailable") return { kind: "configuration-unavailable" };
  if (fault !== null) return { kind: "disabled", code: fault.code, field: fault.field, layer: fault.layer };
  if (keyring === "absent") return { kind: "keyring-absent" };
  if (keyring === "locked") return { kind: "keyring-locked" };
  if (facts.marker === "unreadable") return { kind: "marker-unreadable" };
  if (signIn === null) return { kind: "signed-out", because: facts.gone };
  const until = signIn.hasRefreshToken ? null : signIn.idTokenExpiresAt;
  if (!signIn.hasRefreshToken && (until === null || until <= now)) {
    return { kind: "signed-out", because: "expired" };
  }
  const blocked = block === null ? null : blockStatus(block);
  if (blocked !== null) return blocked;
  if (facts.revoked !== null) return { kind: "reconnect", because: facts.revoked };
  if (facts.extension === "required") return { kind: "extension-required" };
  if (facts.unavailable) return { kind: "unavailable" };
  return { kind: "ready", until, extension: facts.extension === "advertised" ? "advertised" : "unknown" };
}

function blockStatus(block: ServerBlock): ServerStatus {
  switch (block.kind) {
    case "grant-in-doubt":
      return { kind: "unavailable" };
    case "identity-refused":
      return { kind: "identity-refused" };
    case "identity-expired":
      return { kind: "signed-out", because: "expired" };
    case "administrator":
      return { kind: "administrator-denied", leg: block.leg };
    case "assertion":
      return { kind: "assertion-refused" };
    case "client":
      return { kind: "client-refused", leg: block.leg };
    case "scope":
      return { kind: "scope-refused", leg: block.leg };
    case "stronger-sign-in":
      return { kind: "stronger-sign-in" };
    case "binding":
      return { kind: "binding-unsupported", leg: block.leg };
    case "misconfigured":
      return { kind: "misconfigured", leg: block.leg };
    case "moved":
      return { kind: "moved", what: block.what };
    case "bearer-refused":
      return { kind: "reconnect", because: "bearer-refused" };
  }
}

/** What a host that runs knows beside its state. */
export interface RunningFacts extends Pick<StatusFacts, "fault" | "signIn" | "extension" | "now"> {
  /** Name of the server. */
  readonly server: string;
  /** Name of the thread; absent: none is asked about. */
  readonly thread?: string;
}

/** The facts of a host that runs, for {@linkcode serverStatus}. */
export function factsOf(state: AuthorizationState, running: RunningFacts): StatusFacts {
  const { server: name, thread, fault, extension, now } = running;
  const server = serverOf(state, name);
  const user = thread === undefined ? undefined : threadOf(state, { thread, server: name });
  return {
    configuration: state.configuration,
    // that its server was removed says more to a thread that had it
    fault: fault ?? (server === undefined && user?.revoked !== "server-removed" ? notConfigured(name) : null),
    keyring: state.keyring,
    marker: state.marker,
    signIn: state.grant === null ? null : running.signIn,
    gone: state.gone,
    block: server?.block ?? null,
    revoked: user?.revoked ?? null,
    unavailable: server?.unavailable ?? false,
    extension,
    now,
  };
}

/** The fault of a server that the configuration does not name, or names no more. */
function notConfigured(name: string): StatusFacts["fault"] {
  return { code: "FIELD_MISSING", field: fieldName([SERVER_ROOT, name]), layer: null };
}
