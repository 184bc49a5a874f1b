/**
 * A thread, as the program that embeds a host sees it: one conversation, one account, one turn at a time.
 *
 * @module
 */

import type { Progress, Tool } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../../core/json/value.ts";
import type { ToolCall } from "../call/tool_call.ts";
import type { Account } from "../enterprise/account.ts";
import type { TurnSandbox } from "../sandbox/turn_sandbox.ts";
import type { ServerReport } from "../servers/server_report.ts";
import type { ListedTools } from "../tools/tool_lists.ts";

/** How a tool is called. */
export interface CallOptions {
  /**
   * Entries of the `_meta`. Kept as they are, except what belongs to the host (the three sandbox keys) and to the
   * connection (`progressToken`, the protocol's own `io.modelcontextprotocol/` keys of a request).
   */
  readonly meta?: JsonObject | undefined;
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Told of progress, never after the call is over. Absent: none is asked for. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Milliseconds that the call may take, connecting included and the time that the host's own people are asked
   * excluded; absent: what the server's configuration says.
   */
  readonly timeoutMs?: number | undefined;
}

/** How tools are listed. */
export interface ToolsOptions {
  /** Asks the server whatever is known. */
  readonly refresh?: boolean | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** A thread. */
export interface Thread {
  /** Its id. */
  readonly id: string;
  /** Whose account it acts for; `null`: nobody's. */
  readonly account: Account | null;
  /**
   * Lets the thread act for another account. At once: its authorization at enterprise servers is void, its connections
   * and streams there end, calls under way may return, the next is refused. Even when the other account is signed in:
   * {@linkcode Thread.reauthorize}, or a new thread, uses that.
   */
  setAccount(account: Account | null): void;
  /** Says what calls from now on are issued under. The value is copied; `null`: they belong to no turn. */
  setSandbox(turn: TurnSandbox | null): void;
  /**
   * The tools of a server that may be used, from the catalog when that is fresh.
   *
   * For an enterprise server it rejects with whatever `EnterpriseError` keeps the thread from using it.
   *
   * @throws {HostError} `SERVER_UNKNOWN` when the configuration names no such server.
   * @throws {HostError} `SERVER_DISABLED` when it is switched off, or a fault of the configuration disables it.
   * @throws {HostError} `SERVER_UNAVAILABLE` when it cannot be started or reached, or refuses to answer.
   * @throws {HostError} `SERVER_TIMEOUT` when it is not ready in its time.
   * @throws {HostError} `CALL_TIMEOUT` when it takes longer than a call may.
   * @throws {HostError} `CALL_CANCELLED` when `signal` is aborted first.
   * @throws {HostError} `PROTOCOL_ERROR` when it answers with an error.
   * @throws {HostError} `CONNECTION_LOST` when the connection went away.
   * @throws {HostError} `THREAD_CLOSED` when the thread is closed.
   * @throws {HostError} `HOST_CLOSED` when the host is closed.
   */
  tools(server: string, options?: ToolsOptions): Promise<readonly Tool[]>;
  /** As {@linkcode Thread.tools}, with where they come from and how old that is. Rejects as that does. */
  listTools(server: string, options?: ToolsOptions): Promise<ListedTools>;
  /**
   * Calls a tool. What the call is issued under, its arguments and its `_meta` are copied before this returns, which
   * it does at once; what goes wrong is the call's rejection, never an exception here. It is a `HostError` of any
   * code, for an enterprise server an `EnterpriseError`, and besides:
   *
   * @throws {SandboxError} `AUTHORITY_CHANGED` when it had to be sent again, or its result came over a stream that was
   * taken up again, and what it was issued under is not the thread's any more.
   * @throws {JsonError} `JSON_MALFORMED` when the arguments or the `_meta` are no JSON object.
   */
  callTool(server: string, tool: string, args?: JsonObject, options?: CallOptions): ToolCall;
  /**
   * Lets the thread use an enterprise server with the sign-in in force, and tries the server again where its account
   * was refused there. `false`: there is no sign-in to use.
   */
  reauthorize(server: string): Promise<boolean>;
  /** What is known of each server, for this thread; of one that is closed: what was, when it was. Asks nobody. */
  status(): readonly ServerReport[];
  /** Ends the thread: its calls end with `THREAD_CLOSED`, its connections to enterprise servers are closed. */
  close(): Promise<void>;
}
