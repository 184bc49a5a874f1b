/**
 * What happens to the authorization, and what has to be done about it: the events that a host reports and the effects
 * that it carries out, in order. Both are plain data without tokens.
 *
 * Which event leads to which effects is decided in `transition.ts`.
 *
 * @module
 */

import type { LayerName } from "../../configuration/layers/layer.ts";
import type { Leg } from "../error.ts";
import type { FailureMeaning } from "../exchange/oauth_error.ts";
import type {
  HeldGrant,
  KeyringState,
  LeaseState,
  MovedPart,
  RevokedReason,
  ServerBlock,
  ThreadState,
} from "./state.ts";
import type { CommitTag } from "./tag.ts";

/** Something that happened. */
export type AuthorizationEvent =
  /** The host's account has another owner, or none any more. */
  | { readonly kind: "account-changed"; readonly owner: string | null }
  /** A sign-in of our own is ready to be stored. */
  | { readonly kind: "signed-in"; readonly tag: CommitTag; readonly grant: HeldGrant }
  /** The person signs out. `generation` is a fresh one. */
  | { readonly kind: "signed-out"; readonly generation: string }
  /** What the sign-out of `owner` asked for was done, or could not be. `owner`: the key of its `end-sign-in`. */
  | { readonly kind: "sign-in-ended"; readonly owner: string | null }
  /** The keyring was read under the lock, and holds this grant. `tag`: taken before it was read. */
  | { readonly kind: "grant-found"; readonly tag: CommitTag; readonly grant: HeldGrant }
  /** There is no grant of the current account, or a void one. `tag`: taken before that was looked for. */
  | { readonly kind: "grant-missing"; readonly tag: CommitTag }
  /** The keyring cannot be read. */
  | { readonly kind: "keyring-closed"; readonly keyring: Exclude<KeyringState, "open"> }
  /** The keyring can be read. */
  | { readonly kind: "keyring-opened" }
  /** The marker cannot be read. */
  | { readonly kind: "marker-unreadable" }
  /** The marker can be read, and says what is held. */
  | { readonly kind: "marker-read" }
  /** The managed configuration was read and holds. */
  | { readonly kind: "configuration-loaded"; readonly servers: readonly RegisteredServer[] }
  /** The managed configuration was read and is invalid. */
  | { readonly kind: "configuration-rejected"; readonly field: string; readonly layer: LayerName | null }
  /** The managed configuration could not be read. */
  | { readonly kind: "configuration-unavailable" }
  /** Discovery finds something of a server elsewhere, or not at all. */
  | { readonly kind: "server-moved"; readonly server: string; readonly what: MovedPart }
  /** One of the two requests failed. */
  | {
    readonly kind: "request-failed";
    readonly tag: CommitTag;
    readonly server: string;
    readonly leg: Leg;
    readonly meaning: FailureMeaning;
  }
  /** A plain refresh was tried, because the grant was in doubt. `generation` is a fresh one. */
  | {
    readonly kind: "grant-probed";
    readonly tag: CommitTag;
    readonly server: string;
    readonly outcome: "refused" | "standing" | "no-refresh-token" | "unavailable";
    readonly generation: string;
  }
  /** Both requests succeeded. */
  | { readonly kind: "lease-ready"; readonly tag: CommitTag; readonly lease: NewLease }
  /** The MCP server answered 401 to a request with this lease. */
  | { readonly kind: "bearer-refused"; readonly lease: string }
  /** The MCP server took a request with this lease. */
  | { readonly kind: "bearer-accepted"; readonly lease: string }
  /** Time passed; `now` in epoch seconds. */
  | { readonly kind: "time-passed"; readonly now: number }
  /** A thread begins to use a server, or connects to it anew. */
  | { readonly kind: "thread-opened"; readonly thread: string; readonly server: string }
  /** A person lets a thread use a server with the sign-in that is now in force. */
  | { readonly kind: "thread-reauthorized"; readonly thread: string; readonly server: string }
  /** A thread ended. */
  | { readonly kind: "thread-closed"; readonly thread: string }
  /** The server belonged to another client of an identity provider until now, where these threads used it. */
  | {
    readonly kind: "threads-carried";
    readonly server: string;
    readonly threads: readonly Pick<ThreadState, "thread" | "revoked">[];
  }
  /** A person asks to try a blocked server again. */
  | { readonly kind: "server-retried"; readonly server: string };

/** A server as the configuration registers it. */
export interface RegisteredServer {
  /** Its name. */
  readonly name: string;
  /** Fingerprint of its registration. */
  readonly fingerprint: string;
  /** Code of the fault that disables it; `null`: it is enabled. */
  readonly disabled: string | null;
}

/** A lease before it is committed. */
export type NewLease = Pick<LeaseState, "id" | "server" | "binding" | "receivedAt" | "expiresAt">;

/** Something to do. */
export type AuthorizationEffect =
  /** Forget the token of this lease. */
  | { readonly kind: "drop-lease"; readonly lease: string }
  /** End the streams, subscriptions and reconnects of this thread at this server. */
  | {
    readonly kind: "revoke-thread";
    readonly thread: string;
    readonly server: string;
    readonly reason: RevokedReason;
  }
  /** End the sign-ins, exchanges and renewals that have not been committed; their results will be discarded. */
  | { readonly kind: "cancel-pending" }
  /** Store the grant of the sign-in that was reported, and write the marker. */
  | { readonly kind: "store-grant"; readonly grant: HeldGrant }
  /** Read the keyring for this owner, under the lock. */
  | { readonly kind: "read-grant"; readonly owner: string }
  /**
   * End the stored sign-in under the lock: write the marker with this generation, whatever the keyring says, then
   * delete the grant. `key`: whose; `null`: the one that the marker names. Its tokens are revoked at the identity
   * provider (RFC 7009) after that.
   */
  | { readonly kind: "end-sign-in"; readonly key: string | null; readonly generation: string }
  /** Delete the grant under the lock, if it is still of this generation and this revision. */
  | {
    readonly kind: "delete-grant";
    readonly key: string;
    readonly generation: string;
    readonly revision: number;
  }
  /** Write the marker: nobody is signed in, with this generation. */
  | { readonly kind: "write-marker"; readonly generation: string }
  /** Try a plain refresh with the grant, and report `grant-probed`. */
  | { readonly kind: "probe-grant"; readonly server: string; readonly grant: HeldGrant }
  /** Get a new access token once, with a fresh ID-JAG. */
  | { readonly kind: "exchange-again"; readonly server: string; readonly because: "assertion" | "bearer" }
  /** Refuse further calls to this server. */
  | { readonly kind: "block-server"; readonly server: string; readonly block: ServerBlock }
  /** What was reported came too late or for someone else; drop its result. */
  | { readonly kind: "discard"; readonly event: AuthorizationEvent["kind"] };

/** What an event leads to for the stored grant: it takes time. */
export type GrantEffect = Extract<AuthorizationEffect, {
  readonly kind:
    | "store-grant"
    | "read-grant"
    | "end-sign-in"
    | "delete-grant"
    | "write-marker"
    | "probe-grant";
}>;
