/**
 * The enterprise servers of a host, as the rest of it uses them: accounts, threads and their connections.
 *
 * How they work is in `threads/create_enterprise_servers.ts`; what ends an authorization is decided in
 * `core/enterprise/authorization/`.
 *
 * @module
 */

import type { ConfigurationFault } from "../../../../core/configuration/layers/fault.ts";
import type { EnterpriseConfiguration } from "../../../../core/enterprise/config/configuration.ts";
import type { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { GrantRecord } from "../../../../core/enterprise/grant/record.ts";
import type { ServerStatus } from "../../../../core/enterprise/status/status.ts";
import type { HostError } from "../../../../core/errors.ts";
import type { SignOutReport } from "../../../http/tokens/provider_sign_in.ts";
import type { Account } from "./account.ts";
import type { EnterpriseAuthority, EnterpriseOpenConnection } from "./open_connection.ts";
import type { ConnectOptions } from "./options.ts";

/**
 * The enterprise servers of a host. A thread keeps its authorization while connections, configuration and tools are
 * refreshed, and loses it at once when its account, its sign-in or the registration of a server changes. Threads of
 * different accounts share nothing; threads of one account share access tokens.
 */
export interface EnterpriseServers {
  /** Takes a configuration, for all accounts. What is the same as before keeps its threads. */
  load(configuration: EnterpriseConfiguration): Promise<void>;
  /** The managed configuration was read and is invalid: every thread is revoked, at once. */
  reject(fault: Pick<ConfigurationFault, "field" | "layer">): void;
  /** The managed configuration could not be read: nothing is used, and nothing is lost. */
  unavailable(): void;
  /**
   * Opens a thread for an account; `null`: whoever is signed in, or nobody, as `ownerFrom` says. One that is open gets
   * the account. A thread of a name that was revoked somewhere stays revoked there.
   *
   * @throws {HostError} `HOST_CLOSED` when they are closed.
   */
  openThread(thread: string, account: Account | null): void;
  /**
   * Gives a thread another account; `null`: its account is signed out. What it was authorized for is revoked before
   * this returns, also where the new account has a sign-in. Setting the account back does not revive it.
   *
   * @throws {HostError} `THREAD_CLOSED` when there is no such thread.
   */
  setAccount(thread: string, account: Account | null): void;
  /** Ends a thread and its connections. Unknown ones are passed over. */
  closeThread(thread: string): Promise<void>;
  /**
   * The connection of a thread to a server, made when there is none under its authorization. Whoever asks at the same
   * time gets the same one.
   *
   * @throws {EnterpriseError} `SIGN_IN_REQUIRED`, `REAUTHORIZATION_REQUIRED`, `TEMPORARILY_UNAVAILABLE` or another code
   * when the thread may not use the server, or cannot now; `KEYRING_ABSENT` or `KEYRING_LOCKED` also where nobody ever
   * signed in.
   * @throws {HostError} `SERVER_UNKNOWN` when no enterprise server has this name, `SERVER_UNAVAILABLE` when it does not
   * speak the protocol, `SERVER_TIMEOUT` or `CALL_CANCELLED` when the caller's time is over, `THREAD_CLOSED` or
   * `HOST_CLOSED` when there is no such thread.
   */
  connection(
    thread: string,
    server: string,
    options?: ConnectOptions,
  ): Promise<EnterpriseOpenConnection>;
  /**
   * Ends a thread's connection once its calls have returned. The next call connects anew, under the same
   * authorization.
   */
  reconnect(thread: string, server: string): void;
  /**
   * Lets a thread use a server with the sign-in that is in force for its account, and tries the server again where the
   * account was refused there: a person asked for it. `false`: there is no sign-in to use.
   *
   * @throws {EnterpriseError} `CONFIGURATION_REFUSED`, `CONFIGURATION_UNAVAILABLE`, `SERVER_DISABLED`, `KEYRING_LOCKED`
   * or another code when something else keeps the account from using the server.
   * @throws {HostError} `SERVER_UNKNOWN` when no enterprise server has this name; `THREAD_CLOSED` or `HOST_CLOSED` when
   * there is no such thread.
   */
  reauthorize(thread: string, server: string): Promise<boolean>;
  /** Looks whether the sign-in of a thread's account changed, so that its status says so. */
  readSignIn(thread: string, server: string): Promise<void>;
  /** Looks whether the sign-ins changed, of the account that was named last and all others that are in use. */
  look(): Promise<void>;
  /**
   * The status of a server for a thread; where none is named, for the account that was named last. Asks nobody.
   *
   * @throws {HostError} `SERVER_UNKNOWN` when no enterprise server has this name.
   */
  status(server: string, thread?: string): ServerStatus;
  /** Why a call of a thread would be refused now, as far as is known; `null`: it would not. Asks nobody. */
  refusal(thread: string, server: string): EnterpriseError | HostError | null;
  /**
   * What a call of a thread would be issued under now; `null`: it would be refused, or never connected. Asks nobody.
   */
  authorityOf(thread: string, server: string): EnterpriseAuthority | null;
  /**
   * Signs an account in. `work` gets the tokens; its signal is aborted by whatever makes the sign-in pointless.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when something changed meanwhile, or it is not the account's own sign-in.
   * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when no such identity provider is configured, or the account's
   * tokens are the program's.
   */
  signIn(
    account: Account | null,
    provider: string,
    work: (signal: AbortSignal) => Promise<GrantRecord>,
  ): Promise<void>;
  /** Signs an account out, and says what could not be done. Tokens of the program are neither deleted nor revoked. */
  signOut(account: Account | null, provider: string): Promise<SignOutReport>;
  /** The program signed the account in anew, or out: whatever was got with its `identity` before is void. */
  identityReplaced(account: Account): Promise<void>;
  /** Resolves when nothing is under way: no exchange, no renewal, no work on a grant. */
  idle(): Promise<void>;
  /**
   * Ends all connections, and requests for tokens. Calls in flight are lost. A refresh token that takes the place of
   * one is still waited for, a few seconds.
   */
  close(): Promise<void>;
}
