/**
 * A host, as the program that embeds it sees it.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import type { SignOutReport } from "../../http/tokens/provider_sign_in.ts";
import type { ReloadOutcome } from "./configuration/configuration_reader.ts";
import type { Account } from "./enterprise/account.ts";
import type { HostEvents } from "./events/host_events.ts";
import type { TurnSandbox } from "./sandbox/turn_sandbox.ts";
import type { ServerReport } from "./servers/server_report.ts";
import type { Thread } from "./thread/thread.ts";

/** How a thread begins. */
export interface ThreadOptions {
  /** Whose account it acts for; absent or `null`: nobody's. */
  readonly account?: Account | null | undefined;
  /** Its id, unique among the open threads; absent: a random one. It goes to servers as `threadId`. */
  readonly id?: string | undefined;
  /** What its turns select to begin with; absent: the host's default; `null`: nothing. */
  readonly sandbox?: TurnSandbox | null | undefined;
}

export type { ReloadOutcome };

/** How a sign-in is made. */
export interface SignInOptions {
  /** Name of the identity provider; absent: the only one. */
  readonly provider?: string | undefined;
  /** Whose account; `null`: nobody's in particular. */
  readonly account: Account | null;
  /** Gets the tokens; `signal` is aborted by whatever makes the sign-in pointless. */
  readonly work: (signal: AbortSignal, provider: EnterpriseProvider) => Promise<GrantRecord>;
}

/** A host. */
export interface Host {
  /** What happens. */
  readonly events: HostEvents;
  /** What is wrong with the configuration without disabling a server, a sentence each, with file and line. */
  warnings(): readonly string[];
  /** What is known of each server, in the order of the configuration. Asks nobody. */
  servers(): readonly ServerReport[];
  /**
   * Reads the sign-ins at enterprise servers, of whichever account was named last, so that {@linkcode Host.servers}
   * tells them: a new host has not looked. Sends nothing. What goes wrong shows in the reports; rejects with the
   * reason of `signal` alone, as the keyring may wait for a person.
   *
   * @throws {HostError} `HOST_CLOSED` when the host is closed.
   */
  look(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Connects to ordinary servers, all at once; absent: to all that are switched on. A server that fails or is slow
   * delays no other. Resolves to a report of each when all are connected or have failed. Never rejects for a server.
   *
   * @throws {HostError} `SERVER_UNKNOWN` when a name is none of the configuration's.
   */
  connect(
    names?: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly ServerReport[]>;
  /**
   * Opens a thread.
   *
   * @throws {HostError} `HOST_CLOSED` when the host is closed.
   * @throws {SandboxError} `STATE_INEXACT` when the state cannot be sent as it is meant.
   */
  openThread(options?: ThreadOptions): Thread;
  /** Reads the configuration again. Servers that are the same keep their connection; calls under way go on. */
  reload(options?: { readonly signal?: AbortSignal }): Promise<ReloadOutcome>;
  /** Signs an account in at an identity provider. */
  signIn(options: SignInOptions): Promise<void>;
  /** Signs an account out, and says what could not be done. */
  signOut(options: Omit<SignInOptions, "work">): Promise<SignOutReport>;
  /** Ends everything: calls end with `HOST_CLOSED`, servers that were started are ended. Resolves when all is gone. */
  close(): Promise<void>;
}
