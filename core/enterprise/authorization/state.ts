/**
 * The state of the authorization at one client of one identity provider, as a host keeps it in memory: whose it is,
 * which generation is in force, which servers are registered, which threads and leases there are. No token is in it.
 *
 * What happens to it is decided in `transition.ts`; who may use what in `use.ts`.
 *
 * @module
 */

import type { LayerName } from "../../configuration/layers/layer.ts";
import type { Leg } from "../error.ts";

/** Whether the keyring can be read; `"locked"`: also denied or silent. */
export type KeyringState = "open" | "locked" | "absent";

/** The whole state. */
export interface AuthorizationState {
  /** Counts revocations. What began under another epoch is not committed. */
  readonly epoch: number;
  /** Key of the account's owner (user and workspace); `null`: nobody. */
  readonly owner: string | null;
  /** Whether a host says whose account it is, or the sign-in itself. */
  readonly ownerFrom: "host" | "sign-in";
  /** The grant in force; `null`: none. */
  readonly grant: HeldGrant | null;
  /** Why there is no grant; of no meaning while there is one. */
  readonly gone: GoneReason;
  /** Generations that were signed out of here, or that the identity provider refused: void, wherever they still are. */
  readonly ended: readonly string[];
  /** Whose sign-outs are not stored yet (the key of `end-sign-in`): what is found of them is what is being ended. */
  readonly ending: readonly (string | null)[];
  /** Whether the keyring can be read. */
  readonly keyring: KeyringState;
  /** Whether the marker can be read. */
  readonly marker: "readable" | "unreadable";
  /** Whether the managed configuration holds. */
  readonly configuration: ConfigurationState;
  /** The registered servers. */
  readonly servers: readonly ServerState[];
  /** The threads, revoked ones included. */
  readonly threads: readonly ThreadState[];
  /** Threads that were closed after they were revoked, the last one last. */
  readonly closed: readonly ThreadState[];
  /** The leases. */
  readonly leases: readonly LeaseState[];
}

/** The grant in force. */
export interface HeldGrant {
  /** Its key. */
  readonly key: string;
  /** Key of its owner. */
  readonly owner: string;
  /** Its generation. */
  readonly generation: string;
  /** Its revision. */
  readonly revision: number;
}

/** Why there is no grant. */
export type GoneReason = "not-signed-in" | "signed-out" | "deleted" | "refused";

/** What is known of the managed configuration. */
export type ConfigurationState =
  | { readonly kind: "valid" }
  | { readonly kind: "rejected"; readonly field: string; readonly layer: LayerName | null }
  | { readonly kind: "unavailable" };

/** What keeps a server from being used until something changes. */
export type ServerBlock =
  /** The identity provider refused; whether the grant still stands is being found out. */
  | { readonly kind: "grant-in-doubt" }
  /** The grant stands, and the identity provider refused this server. */
  | { readonly kind: "identity-refused" }
  /** Nothing is left to present to the identity provider. */
  | { readonly kind: "identity-expired" }
  /** The administrator's policy denies it. */
  | { readonly kind: "administrator"; readonly leg: Leg }
  /** The authorization server refused two ID-JAGs in a row. */
  | { readonly kind: "assertion" }
  /** A client registration was refused. */
  | { readonly kind: "client"; readonly leg: Leg }
  /** A scope was refused. */
  | { readonly kind: "scope"; readonly leg: Leg }
  /** A stronger sign-in is asked for. */
  | { readonly kind: "stronger-sign-in" }
  /** A token bound to a key is asked for. */
  | { readonly kind: "binding"; readonly leg: Leg }
  /** A token endpoint answers as none. */
  | { readonly kind: "misconfigured"; readonly leg: Leg }
  /** An issuer or endpoint moved, or the resource no longer publishes the authorization server. */
  | { readonly kind: "moved"; readonly what: MovedPart }
  /** The MCP server refused two bearers in a row. */
  | { readonly kind: "bearer-refused" };

/** What of a server is no longer where it was. */
export type MovedPart = "issuer" | "endpoint" | "authorization-server";

/** A registered server. */
export interface ServerState {
  /** Its name. */
  readonly name: string;
  /** Fingerprint of its registration. */
  readonly fingerprint: string;
  /** Code of the fault that disables it; `null`: it is enabled. */
  readonly disabled: string | null;
  /** What blocks it; `null`: nothing. */
  readonly block: ServerBlock | null;
  /** Whether the authorization server refused the last ID-JAG. */
  readonly assertionRefused: boolean;
  /** Bindings of leases of which the MCP server refused the last bearer. */
  readonly bearerRefused: readonly string[];
  /** Whether the last attempt met an outage. */
  readonly unavailable: boolean;
}

/** Why a thread was revoked. */
export type RevokedReason =
  | "account-changed"
  | "signed-out"
  | "replaced"
  | "deleted"
  | "refused"
  | "configuration-rejected"
  | "registration-changed"
  | "server-removed"
  | "server-disabled"
  | "never-authorized";

/** One thread's use of one server. */
export interface ThreadState {
  /** Name of the thread. */
  readonly thread: string;
  /** Name of the server. */
  readonly server: string;
  /** Key of the owner it was authorized for; `null`: it never was. */
  readonly owner: string | null;
  /** The generation it was authorized with; `null`: it never was. */
  readonly generation: string | null;
  /** Fingerprint of the registration it was authorized for; `null`: it never was. */
  readonly fingerprint: string | null;
  /** Why it is revoked; `null`: it is not. */
  readonly revoked: RevokedReason | null;
}

/** An access token in memory, without the token. */
export interface LeaseState {
  /** Name of the lease, fresh for each token. */
  readonly id: string;
  /** The server. */
  readonly server: string;
  /** Key of the owner. */
  readonly owner: string;
  /** The generation. */
  readonly generation: string;
  /** Fingerprint of the registration. */
  readonly fingerprint: string;
  /** All that it is bound to, as `lease.ts` writes it. */
  readonly binding: string;
  /** When it was received, epoch seconds. */
  readonly receivedAt: number;
  /** When it ends, epoch seconds. */
  readonly expiresAt: number;
}

/** The state of a host that has read nothing yet. With `"host"` its account is told by an event. */
export function initialState(ownerFrom: "host" | "sign-in"): AuthorizationState {
  return {
    epoch: 0,
    owner: null,
    ownerFrom,
    grant: null,
    gone: "not-signed-in",
    ended: [],
    ending: [],
    keyring: "open",
    marker: "readable",
    configuration: { kind: "unavailable" },
    servers: [],
    threads: [],
    closed: [],
    leases: [],
  };
}

/** The server of this name; `undefined` when it is not registered. */
export function serverOf(state: AuthorizationState, name: string): ServerState | undefined {
  return state.servers.find((server) => server.name === name);
}

/** The use of `server` by `thread`, closed or not; `undefined` when it was not opened. */
export function threadOf(
  state: AuthorizationState,
  { thread, server }: { readonly thread: string; readonly server: string },
): ThreadState | undefined {
  const isWanted = (one: ThreadState): boolean => one.thread === thread && one.server === server;
  return state.threads.find(isWanted) ?? state.closed.find(isWanted);
}
