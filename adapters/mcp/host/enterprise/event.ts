/**
 * What the enterprise servers of a host tell the program that embeds it. No token is in it.
 *
 * When each is told is decided in `threads/thread_server.ts` and `threads/create_enterprise_servers.ts`.
 *
 * @module
 */

import type { RevokedReason } from "../../../../core/enterprise/authorization/state.ts";
import type { EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";
import type { ExtensionVerdict } from "../../../../core/enterprise/extension.ts";
import type { AccountName } from "./account.ts";

/** Who an event is about. */
export interface EnterpriseEventSubject {
  /** The thread. */
  readonly thread: string;
  /** The server. */
  readonly server: string;
  /** The thread's account; `null`: whoever is signed in, or nobody. */
  readonly account: AccountName | null;
}

/** Something that happened. */
export type EnterpriseServersEvent =
  /** A thread connected to a server, for the first time or under a new authorization. */
  | EnterpriseEventSubject & {
    readonly kind: "connected";
    readonly number: number;
    readonly protocol: string;
    readonly extension: Exclude<ExtensionVerdict, "required">;
  }
  /** A connection ended. */
  | EnterpriseEventSubject & { readonly kind: "disconnected"; readonly number: number }
  /** A thread's authorization was kept: over another connection, or over another load of the configuration. */
  | EnterpriseEventSubject & {
    readonly kind: "refreshed";
    readonly because: "reconnected" | "configuration";
    readonly number: number;
    readonly protocol: string;
  }
  /** A thread lost its authorization. Its next call is refused. */
  | EnterpriseEventSubject & { readonly kind: "authorization-revoked"; readonly reason: RevokedReason }
  /** A thread needs a sign-in that is not there. Told once, until something changes. */
  | EnterpriseEventSubject & {
    readonly kind: "sign-in-needed";
    readonly code: Extract<EnterpriseErrorCode, "SIGN_IN_REQUIRED" | "STRONGER_SIGN_IN_REQUIRED">;
    readonly message: string;
  }
  /** The server says that its tools have changed. */
  | EnterpriseEventSubject & { readonly kind: "catalog-changed" };
