/**
 * One life of a thread's connection to an enterprise server, as the rest of a host sees it.
 *
 * How one is made is in `connection/thread_connection.ts`.
 *
 * @module
 */

import type { ExtensionVerdict } from "../../../../core/enterprise/extension.ts";
import type { OpenConnection } from "../connect/server_connection.ts";
import type { AccountName } from "./account.ts";

/** One life of a connection of one thread to one enterprise server. */
export interface EnterpriseOpenConnection extends OpenConnection {
  /** It is always reached over HTTP. */
  readonly transport: "http";
  /** The account that it was made for; `null`: whoever was signed in. */
  readonly account: AccountName | null;
  /** Generation of the grant that it was made under. */
  readonly grantGeneration: string;
  /** What the server said about the extension. */
  readonly extension: Exclude<ExtensionVerdict, "required">;
  /**
   * Aborted at once when the thread loses its authorization, with the error of the next call as the reason: streams and
   * reconnects end, nothing more is sent, and calls in flight may return. `closed` is aborted when those are done.
   */
  readonly revoked: AbortSignal;
}

/** What a connection was, or a call would be, issued under. */
export interface EnterpriseAuthority {
  /** The account; `null`: whoever was signed in. */
  readonly account: AccountName | null;
  /** Generation of the grant. */
  readonly generation: string;
}
