/**
 * A thread of a host: it captures what each call is issued under, at once, and lets nothing outlive it.
 *
 * How a call goes on is `run_call.ts`'s; what an account may do at enterprise servers, `enterprise/desk.ts`'s.
 *
 * @module
 */

import type { Tool } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../core/json/value.ts";
import { CallAuthority } from "./call_authority.ts";
import type { AuthorityNow } from "./call_guard.ts";
import { cancelled, hostClosed, lifeOf, type LifeOptions, threadClosed } from "./call_end.ts";
import { captureInput } from "./call_params.ts";
import type { Account } from "./enterprise/account.ts";
import { type CallConnection, runCall } from "./run_call.ts";
import type { ServerReport } from "./server_report.ts";
import type { ServerSlot } from "./server_slot.ts";
import type { CallOptions, Thread, ToolsOptions } from "./thread.ts";
import type { HostThreadOptions, ThreadHost } from "./thread_host.ts";
import { ToolCall } from "./tool_call.ts";
import { mayUseTool, requireUsableTool } from "./tool_filter.ts";
import { type CapturedTurn, captureTurn, type TurnSandbox } from "./turn_sandbox.ts";

/** A thread. */
export class HostThread implements Thread {
  /** Its id. */
  readonly id: string;
  readonly #host: ThreadHost;
  readonly #closing = new AbortController();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #listed = new Map<string, number>();
  #account: Account | null;
  #turn: CapturedTurn | null;

  /** Opens it. */
  constructor(host: ThreadHost, { id, account, turn }: HostThreadOptions) {
    this.id = id;
    this.#host = host;
    this.#account = copyOf(account);
    this.#turn = turn;
    host.desk.openThread(id, this.#account);
  }

  /** Whose account it acts for. */
  get account(): Account | null {
    return this.#account;
  }

  /** Lets it act for another account. */
  setAccount(account: Account | null): void {
    if (this.#closing.signal.aborted) return;
    this.#account = copyOf(account);
    this.#host.desk.setAccount(this.id, this.#account);
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
      const life = this.#begin(slot, { tool, options });
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
          offers: async (connection, signal) => {
            const open = (): Promise<CallConnection> => Promise.resolve(connection);
            const tools = await this.#host.tools(slot, { refresh: true, open, signal });
            return tools.some(({ name }) => name === tool);
          },
        })
      ));
      return new ToolCall(authority, { result, cancel: () => life.end(cancelled(server, tool)) });
    } catch (error) {
      return new ToolCall(authority, { result: Promise.reject(error), cancel: () => {} });
    }
  }

  /** The tools of a server that may be used. */
  async tools(server: string, options: ToolsOptions = {}): Promise<readonly Tool[]> {
    const slot = this.#slotFor(server);
    const life = this.#begin(slot, { tool: null, options });
    const work = slot.use(() =>
      this.#host.tools(slot, {
        refresh: options.refresh ?? false,
        open: (signal) => this.#open(slot, signal),
        signal: life.signal,
      })
    );
    try {
      const tools = await this.#track(life.during(work));
      const usable = tools.filter(({ name }) => mayUseTool(slot.entry, name));
      this.#listed.set(server, usable.length);
      // an enterprise server may show each account others
      if (slot.entry.kind !== "enterprise") slot.tools = usable.length;
      return usable;
    } catch (error) {
      throw life.error ?? error;
    } finally {
      life.over();
    }
  }

  /** Lets it use an enterprise server with the sign-in in force. */
  async reauthorize(server: string): Promise<boolean> {
    const { entry } = this.#slotFor(server);
    return entry.kind === "enterprise" && await this.#host.desk.reauthorize(this.id, server);
  }

  /** What is known of each server. */
  status(): readonly ServerReport[] {
    return this.#host.report(this.id).map((one) =>
      one.tools === null ? { ...one, tools: this.#listed.get(one.name) ?? null } : one
    );
  }

  /** Ends it. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#closing.abort();
      this.#host.onClosed(this.id);
    }
    await Promise.allSettled([...this.#pending, this.#host.desk.closeThread(this.id)]);
  }

  /** The server, when this thread may use it. */
  #slotFor(server: string): ServerSlot {
    if (this.#host.closed.aborted) throw hostClosed();
    if (this.#closing.signal.aborted) throw threadClosed(this.id);
    return this.#host.servers.require(server);
  }

  #begin(
    { entry }: ServerSlot,
    { tool, options }: Pick<LifeOptions, "tool"> & { readonly options: CallOptions },
  ) {
    return lifeOf({
      ...options,
      tool,
      entry,
      thread: this.id,
      host: this.#host.closed,
      closing: this.#closing.signal,
    });
  }

  #open({ connection, entry }: ServerSlot, signal: AbortSignal): Promise<CallConnection> {
    return connection === null
      ? this.#host.desk.connection(this.id, entry.name, { signal, timeoutMs: entry.startupTimeoutMs })
      : connection.open(signal);
  }

  #now(slot: ServerSlot, tool: string): AuthorityNow {
    const { entry } = slot;
    return {
      turn: this.#turn,
      account: this.#account,
      generation: this.#generationAt(entry.name),
      sameServer: this.#host.servers.isCurrent(slot) && mayUseTool(entry, tool),
    };
  }

  /** Generation of the sign-in that this thread uses at a server; `null`: it uses none. */
  #generationAt(server: string): string | null {
    const enterprise = this.#host.servers.find(server)?.entry.kind === "enterprise";
    if (!enterprise || this.#closing.signal.aborted) return null;
    return this.#host.desk.authorityOf(this.id, server)?.generation ?? null;
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
