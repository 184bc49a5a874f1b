import type { Tool } from "@modelcontextprotocol/client";
import { createClock } from "../../../../adapters/http/transport/clock.ts";
import type { Account } from "../../../../adapters/mcp/host/enterprise/account.ts";
import type { EnterpriseServers } from "../../../../adapters/mcp/host/enterprise/threads/create_enterprise_servers.ts";
import { HostThread } from "../../../../adapters/mcp/host/thread/host_thread.ts";
import { LauncherChoice } from "../../../../adapters/mcp/host/sandbox/launcher_choice.ts";
import { listTools } from "../../../../adapters/mcp/host/tools/list_tools.ts";
import type { ServerReport } from "../../../../adapters/mcp/host/servers/server_report.ts";
import { ServerSet } from "../../../../adapters/mcp/host/servers/server_set.ts";
import { captureTurn, type TurnSandbox } from "../../../../adapters/mcp/host/sandbox/turn_sandbox.ts";
import type { HttpEntry, ServerEntry, StdioEntry } from "../../../../core/configuration/entry.ts";
import type { InProcess } from "./in_process.ts";

/** An entry of this name, whose server is reached over standard input and output. */
export function stdioEntry(name: string, changes: Partial<StdioEntry> = {}): StdioEntry {
  return {
    kind: "stdio",
    name,
    enabled: true,
    environment: "local",
    protocol: "auto",
    enabledTools: null,
    disabledTools: [],
    startupTimeoutMs: 30_000,
    toolTimeoutMs: 30_000,
    layer: { kind: "user", source: "test" },
    unknown: {},
    command: "server",
    args: [],
    env: {},
    envVars: [],
    cwd: null,
    ...changes,
  };
}

/** No enterprise server at all. */
export function emptyDesk(changes: Partial<EnterpriseServers> = {}): EnterpriseServers {
  const refused = (): never => {
    throw new Error("no enterprise server is configured");
  };
  return {
    load: () => Promise.resolve(),
    reject: () => {},
    unavailable: () => {},
    openThread: () => {},
    setAccount: () => {},
    closeThread: () => Promise.resolve(),
    connection: () => Promise.reject(new Error("no enterprise server is configured")),
    reauthorize: () => Promise.resolve(false),
    reconnect: () => {},
    readSignIn: () => Promise.resolve(),
    look: () => Promise.resolve(),
    status: refused,
    refusal: () => null,
    authorityOf: () => null,
    signIn: refused,
    signOut: refused,
    identityReplaced: () => Promise.resolve(),
    idle: () => Promise.resolve(),
    close: () => Promise.resolve(),
    ...changes,
  };
}

/** What a test of threads works with. */
export interface ThreadRig {
  /** Opens a thread. */
  open(
    options?: { readonly account?: Account; readonly sandbox?: TurnSandbox; readonly id?: string },
  ): HostThread;
  /** Takes another configuration. */
  configure(...entries: readonly ServerEntry[]): void;
  /** The servers. */
  readonly servers: ServerSet;
  /** Closes the host. */
  readonly closing: AbortController;
  /** Paths of launchers that answer the probe. */
  readonly launchers: Set<string>;
}

/** Threads over servers in this process, by name. */
export function threadRig(
  servers: Readonly<Record<string, InProcess>>,
  { enterprise = emptyDesk(), entries, known = new Map(), report = () => [] }: {
    readonly enterprise?: EnterpriseServers;
    /** What a catalog holds of servers, by name. */
    readonly known?: Map<string, readonly Tool[]>;
    readonly report?: (thread: string) => readonly ServerReport[];
    readonly entries?: readonly ServerEntry[];
  } = {},
): ThreadRig {
  const set = new ServerSet((entry) =>
    entry.kind === "enterprise" ? null : servers[entry.name]!.connect(entry as StdioEntry | HttpEntry)
  );
  set.apply({ servers: entries ?? Object.keys(servers).map((name) => stdioEntry(name)), disabled: [] });
  const closing = new AbortController();
  const launchers = new Set<string>();
  const identity = (path: string) => ({ realPath: path, kind: "file" as const, fingerprint: path });
  const host = {
    servers: set,
    enterprise,
    clock: createClock(),
    platform: "linux" as const,
    closed: closing.signal,
    launchers: new LauncherChoice({
      platform: "linux",
      files: { identify: (path) => Promise.resolve(path.includes("missing") ? null : identity(path)) },
      probe: {
        inspect: (path: string) =>
          Promise.resolve(launchers.has(path) ? { identity: identity(path) } : { flaw: "is none" }),
      } as never,
    }),
    tools: async (slot: { readonly entry: ServerEntry }, use: {
      readonly open: (signal: AbortSignal) => Promise<never>;
      readonly signal: AbortSignal;
    }) => {
      const { tools } = await listTools(await use.open(use.signal), {
        server: slot.entry.name,
        signal: use.signal,
      });
      return { tools, source: "server", fetchedAt: 7 };
    },
    definitions: {
      known: (entry: ServerEntry) => Promise.resolve(known.get(entry.name) ?? []),
      changed: (entry: ServerEntry) => Promise.resolve(void known.delete(entry.name)),
    },
    report,
    onClosed: () => {},
  };
  let count = 0;
  return {
    servers: set,
    closing,
    launchers,
    configure: (...list) => void set.apply({ servers: list, disabled: [] }),
    open: ({ account, sandbox, id } = {}) =>
      new HostThread(host as never, {
        id: id ?? `thread-${++count}`,
        account: account ?? null,
        turn: sandbox === undefined ? null : captureTurn(sandbox),
      }),
  };
}
