/**
 * The lists of tools that a thread has asked for, and what its calls know of a tool without asking for one.
 *
 * | the server | what a call knows of its tool |
 * |---|---|
 * | ordinary | what the catalog holds, while that is fresh |
 * | enterprise | what this very thread has listed under the sign-in of the connection, over an earlier one |
 * | any, listed over the connection of the call | what the SDK holds of that |
 *
 * What is known serves the header fields and the check of the answer. A call never waits for a list that nobody asked
 * for; a server that says that the header fields are wrong is asked for one. MCP 2026-07-28, `x-mcp-header`.
 *
 * @module
 */

import type { Tool } from "@modelcontextprotocol/client";
import type { CallConnection, ToolKnowledge } from "../call/run_call.ts";
import { accountChanged } from "../enterprise/errors.ts";
import type { ServerSlot } from "../servers/server_slot.ts";
import { mayUseTool } from "../tools/tool_filter.ts";
import type { ListedTools, ToolUse } from "../tools/tool_lists.ts";
import type { ThreadHost } from "./thread_host.ts";

interface OwnList {
  readonly usable: number;
  readonly tools: readonly Tool[];
  readonly connection: CallConnection | null;
  readonly enterprise: boolean;
}

/** The lists of one thread. */
export class ThreadLists {
  readonly #host: Pick<ThreadHost, "tools" | "definitions">;
  readonly #own = new Map<string, OwnList>();
  #accounts = 0;

  /** Nothing is listed yet. */
  constructor(host: Pick<ThreadHost, "tools" | "definitions">) {
    this.#host = host;
  }

  /**
   * Lists the tools of a server that may be used. Rejects as listing does.
   *
   * @throws {EnterpriseError} `REAUTHORIZATION_REQUIRED` when the thread's account changed meanwhile.
   */
  async list(slot: ServerSlot, use: ToolUse): Promise<ListedTools> {
    const listed = await this.#fetch(slot, use);
    return { ...listed, tools: listed.tools.filter(({ name }) => mayUseTool(slot.entry, name)) };
  }

  /** How many tools of a server may be used, as this thread last listed them; `null`: it has not. */
  usableAt(server: string): number | null {
    return this.#own.get(server)?.usable ?? null;
  }

  /** What a call knows of its tool. */
  knowledgeOf(slot: ServerSlot, tool: string): ToolKnowledge {
    const { entry } = slot;
    const { definitions } = this.#host;
    const named = (tools: readonly Tool[]): Tool | null => tools.find(({ name }) => name === tool) ?? null;
    return {
      known: async (connection) => {
        if (entry.kind !== "enterprise") return named(await definitions.known(entry));
        const own = this.#own.get(entry.name);
        const before = own?.connection;
        return own !== undefined && before?.grantGeneration === connection.grantGeneration &&
            before?.number !== connection.number
          ? named(own.tools)
          : null;
      },
      outdated: async () => {
        this.changed(entry.name);
        await definitions.changed(entry);
      },
      ask: async (connection, signal) => {
        const open = (): Promise<CallConnection> => Promise.resolve(connection);
        return named((await this.#fetch(slot, { refresh: true, open, signal })).tools);
      },
    };
  }

  /** An enterprise server says that its tools have changed. */
  changed(server: string): void {
    const own = this.#own.get(server);
    if (own !== undefined) this.#own.set(server, { ...own, tools: [] });
  }

  /** The thread has another account: nothing of what it listed at enterprise servers is its own any more. */
  accountChanged(): void {
    this.#accounts += 1;
    for (const [server, { enterprise }] of this.#own) if (enterprise) this.#own.delete(server);
  }

  async #fetch(slot: ServerSlot, { refresh, open, signal }: ToolUse): Promise<ListedTools> {
    const { entry } = slot;
    const accounts = this.#accounts;
    let connection: CallConnection | null = null;
    const opening = async (ending: AbortSignal): Promise<CallConnection> => connection = await open(ending);
    const listed = await this.#host.tools(slot, { refresh, open: opening, signal });
    const usable = listed.tools.filter(({ name }) => mayUseTool(entry, name)).length;
    const enterprise = entry.kind === "enterprise";
    if (enterprise && accounts !== this.#accounts) throw accountChanged(entry.name);
    this.#own.set(entry.name, { usable, tools: enterprise ? listed.tools : [], connection, enterprise });
    // an enterprise server may show each account others
    if (!enterprise) slot.tools = usable;
    return listed;
  }
}
