/**
 * A thread of a host: it captures what each call is issued under, at once, and lets nothing outlive it.
 *
 * How a call goes on is `call/run_call.ts`'s; what an account may do at enterprise servers,
 * `enterprise/threads/create_enterprise_servers.ts`'s.
 *
 * @module
 */

import type { Tool } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../../core/json/value.ts";
import { CallAuthority } from "../call/authority.ts";
import { type CallEndOptions, cancelled, hostClosed, lifetimeOf, threadClosed } from "../call/end.ts";
import { type AuthorityNow, sameAccount } from "../call/guard.ts";
import { captureInput } from "../call/params.ts";
import { type CallConnection, runCall } from "../call/run_call.ts";
import { ToolCall } from "../call/tool_call.ts";
import type { Account } from "../enterprise/account.ts";
import { type CapturedTurn, captureTurn, type TurnSandbox } from "../sandbox/turn_sandbox.ts";
import { reportLeft } from "../servers/report_servers.ts";
import type { ServerReport } from "../servers/server_report.ts";
import type { ServerSlot } from "../servers/server_slot.ts";
import { mayUseTool, requireUsableTool } from "../tools/tool_filter.ts";
import type { ListedTools } from "../tools/tool_lists.ts";
import type { CallOptions, Thread, ToolsOptions } from "./thread.ts";
import type { HostThreadOptions, ThreadHost } from "./thread_host.ts";
import { ThreadLists } from "./thread_lists.ts";

/** A thread. */
export class HostThread implements Thread {
  /** Its id. */
  readonly id: string;
  readonly #host: ThreadHost;
  readonly #closing = new AbortController();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #lists: ThreadLists;
  /** What ends whatever it does. */
  readonly #ends: Pick<CallEndOptions, "thread" | "host" | "closing">;
  #account: Account | null;
  #turn: CapturedTurn | null;
  #closed: Promise<void> | null = null;
  #last: readonly ServerReport[] = [];

  /** Opens it. */
  constructor(host: ThreadHost, { id, account, turn }: HostThreadOptions) {
    this.id = id;
    this.#host = host;
    this.#account = copyOf(account);
    this.#turn = turn;
    this.#lists = new ThreadLists(host);
    this.#ends = { thread: id, host: host.closed, closing: this.#closing.signal };
    host.enterprise.openThread(id, this.#account);
  }

  /** Whose account it acts for. */
  get account(): Account | null {
    return this.#account;
  }

  /** Lets it act for another account. */
  setAccount(account: Account | null): void {
    if (this.#closing.signal.aborted) return;
    if (!sameAccount(account, this.#account)) this.#lists.accountChanged();
    this.#account = copyOf(account);
    this.#host.enterprise.setAccount(this.id, this.#account);
  }

  /** Says what calls from now on are issued under. */
  setSandbox(turn: TurnSandbox | null): void {
    this.#turn = turn === null ? null : captureTurn(turn);
  }

  /** Calls a tool. Everything up to the first wait is done before this returns. */
  callTool(server: string, tool: string, args: JsonObject = {}, options: CallOptions = {}): ToolCall {
    const authority = new CallAuthority({
      thread: this.id,
      server,
      tool,
      turn: this.#turn,
      account: this.#account,
      generation: this.#generationAt(server),
    });
    try {
      const slot = this.#slotFor(server);
      requireUsableTool(slot.entry, tool);
      const input = captureInput(args, options.meta ?? {});
      const life = lifetimeOf({ ...options, ...this.#ends, tool, entry: slot.entry });
      const result = this.#track(slot.use(() =>
        runCall({
          ...this.#host,
          authority,
          input,
          environment: slot.entry.environment,
          life,
          onProgress: options.onProgress,
          open: (signal) => this.#open(slot, signal),
          now: () => this.#now(slot, tool),
          knowledge: this.#lists.knowledgeOf(slot, tool),
        })
      ));
      return new ToolCall(authority, { result, cancel: () => life.end(cancelled(server, tool)) });
    } catch (error) {
      return new ToolCall(authority, { result: Promise.reject(error), cancel: () => {} });
    }
  }

  /** The tools of a server that may be used. */
  async tools(server: string, options: ToolsOptions = {}): Promise<readonly Tool[]> {
    return (await this.listTools(server, options)).tools;
  }

  /** The same, and where they come from. */
  async listTools(server: string, options: ToolsOptions = {}): Promise<ListedTools> {
    const slot = this.#slotFor(server);
    const life = lifetimeOf({ ...options, ...this.#ends, tool: null, entry: slot.entry });
    const open = (signal: AbortSignal): Promise<CallConnection> => this.#open(slot, signal);
    const use = { refresh: options.refresh ?? false, open, signal: life.signal };
    try {
      return await this.#track(life.during(slot.use(() => this.#lists.list(slot, use))));
    } catch (error) {
      throw life.error ?? error;
    } finally {
      life.over();
    }
  }

  /** Lets it use an enterprise server with the sign-in in force. */
  async reauthorize(server: string): Promise<boolean> {
    const { entry } = this.#slotFor(server);
    return entry.kind === "enterprise" && await this.#host.enterprise.reauthorize(this.id, server);
  }

  /** An enterprise server says that its tools have changed. */
  toolsChanged(server: string): void {
    this.#lists.changed(server);
  }

  /** What is known of each server. */
  status(): readonly ServerReport[] {
    if (this.#closing.signal.aborted) return this.#last;
    return this.#host.report(this.id).map((one) =>
      one.tools === null ? { ...one, tools: this.#lists.usableAt(one.name) } : one
    );
  }

  /** Ends it. Its id may be another thread's from then on, so that nothing is done under it twice. */
  close(): Promise<void> {
    return this.#closed ??= this.#close();
  }

  async #close(): Promise<void> {
    this.#last = this.status().map(reportLeft);
    this.#closing.abort();
    this.#host.onClosed(this.id);
    await Promise.allSettled([...this.#pending, this.#host.enterprise.closeThread(this.id)]);
  }

  /** The server, when this thread may use it. */
  #slotFor(server: string): ServerSlot {
    if (this.#host.closed.aborted) throw hostClosed();
    if (this.#closing.signal.aborted) throw threadClosed(this.id);
    return this.#host.servers.require(server);
  }

  #open({ connection, entry }: ServerSlot, signal: AbortSignal): Promise<CallConnection> {
    return connection === null
      ? this.#host.enterprise.connection(this.id, entry.name, { signal, timeoutMs: entry.startupTimeoutMs })
      : connection.open(signal);
  }

  #now(slot: ServerSlot, tool: string): AuthorityNow {
    return {
      turn: this.#turn,
      account: this.#account,
      generation: this.#generationAt(slot.entry.name),
      sameServer: this.#host.servers.isCurrent(slot) && mayUseTool(slot.entry, tool),
    };
  }

  /** Generation of the sign-in that this thread uses at a server; `null`: it uses none. */
  #generationAt(server: string): string | null {
    const enterprise = this.#host.servers.find(server)?.entry.kind === "enterprise";
    if (!enterprise || this.#closing.signal.aborted) return null;
    return this.#host.enterprise.authorityOf(this.id, server)?.generation ?? null;
  }

  #track<Value>(work: Promise<Value>): Promise<Value> {
    this.#pending.add(work);
    work.finally(() => this.#pending.delete(work)).catch(() => {}); // whoever waits for it is told
    return work;
  }
}

function copyOf(account: Account | null): Account | null {
  return account === null ? null : Object.freeze({ ...account });
}
