/**
 * A host that runs: it holds the servers, the threads and the configuration together, and ends them together.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { quote } from "../../../core/errors.ts";
import { follow } from "../../async/follow.ts";
import { unlessAborted } from "../../async/unless_aborted.ts";
import type { Watching } from "../../configuration/source.ts";
import type { SignOutReport } from "../../http/tokens/provider_sign_in.ts";
import type { ProcessGuard } from "../../sandbox/guard.ts";
import { hostClosed } from "./call/end.ts";
import type { ConfigurationReader } from "./configuration/configuration_reader.ts";
import { providerNamed } from "./configuration/provider_named.ts";
import type { EnterpriseServers } from "./enterprise/threads/create_enterprise_servers.ts";
import type { EnterpriseEvents } from "./events/enterprise_events.ts";
import type { EventHub, HostEvents } from "./events/host_events.ts";
import type { Host, ReloadOutcome, SignInOptions, ThreadOptions } from "./host.ts";
import { type CapturedTurn, captureTurn } from "./sandbox/turn_sandbox.ts";
import { reportDisabled, reportSlot } from "./servers/report_servers.ts";
import type { ServerReport } from "./servers/server_report.ts";
import type { ServerSet } from "./servers/server_set.ts";
import { HostThread } from "./thread/host_thread.ts";
import type { Thread } from "./thread/thread.ts";
import type { ThreadHost } from "./thread/thread_host.ts";

/** What a host holds together. */
export interface HostParts {
  /** What happens. */
  readonly hub: EventHub;
  /** The servers. */
  readonly servers: ServerSet;
  /** The enterprise servers. */
  readonly enterprise: EnterpriseServers;
  /** Which of them are connected. */
  readonly enterpriseEvents: EnterpriseEvents;
  /** Reads the configuration. */
  readonly configurationReader: ConfigurationReader;
  /** Ends what was started when this process is killed. */
  readonly guard: ProcessGuard;
  /** Resolves when what is kept of tools is kept. */
  readonly settled: () => Promise<void>;
  /** Aborted when the host is closed. */
  readonly closing: AbortController;
  /** What threads use. */
  readonly threadHost: Pick<ThreadHost, "launchers" | "clock" | "platform" | "tools" | "definitions">;
  /** What the turns of a thread select unless it says otherwise. */
  readonly turn: CapturedTurn | null;
}

/** A host. */
export class RunningHost implements Host {
  readonly #parts: HostParts;
  readonly #threads = new Map<string, HostThread>();
  readonly #host: ThreadHost;
  readonly #watching: Watching[] = [];
  #closed: Promise<void> | null = null;

  /** Takes what was put together. */
  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#host = {
      ...parts.threadHost,
      servers: parts.servers,
      enterprise: parts.enterprise,
      closed: parts.closing.signal,
      report: (thread) => this.#report(thread),
      onClosed: (thread) => void this.#threads.delete(thread),
    };
    parts.hub.subscribe((event) => {
      if (event.kind === "catalog-changed") this.#threads.get(event.thread ?? "")?.toolsChanged(event.server);
    });
  }

  /** What happens. */
  get events(): HostEvents {
    return this.#parts.hub;
  }

  /** What is wrong with the configuration without disabling a server. */
  warnings(): readonly string[] {
    return this.#parts.configurationReader.warnings;
  }

  /** What is known of each server. */
  servers(): readonly ServerReport[] {
    return this.#report();
  }

  /** Reads the sign-ins. */
  async look({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#requireOpen();
    await this.#within(signal, (ending) => unlessAborted(() => this.#parts.enterprise.look(), ending));
  }

  /** Connects to ordinary servers. */
  async connect(
    names?: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly ServerReport[]> {
    this.#requireOpen();
    const { servers } = this.#parts;
    const known = new Set(this.#report().map(({ name }) => name));
    for (const name of names ?? []) if (!known.has(name)) servers.require(name);
    const wanted = servers.slots.filter(({ entry }) => names === undefined || names.includes(entry.name));
    const open = (ending: AbortSignal): Promise<unknown> =>
      Promise.allSettled(wanted.map((slot) => slot.open(ending)));
    await this.#within(options.signal, open);
    return this.#report().filter(({ name }) => names === undefined || names.includes(name));
  }

  /** Opens a thread. */
  openThread({ account = null, id = crypto.randomUUID(), sandbox }: ThreadOptions = {}): Thread {
    this.#requireOpen();
    if (this.#threads.has(id)) {
      throw new TypeError(`Cannot open the thread ${quote(id)}: one of that id is open`);
    }
    const turn = sandbox === undefined ? this.#parts.turn : sandbox === null ? null : captureTurn(sandbox);
    const thread = new HostThread(this.#host, { id, account, turn });
    this.#threads.set(id, thread);
    return thread;
  }

  /** Reads the configuration again. */
  async reload(options: { readonly signal?: AbortSignal } = {}): Promise<ReloadOutcome> {
    this.#requireOpen();
    return await this.#within(options.signal, (ending) => this.#parts.configurationReader.again(ending));
  }

  /** Reads the configuration again whenever it changes, if its sources can tell. */
  watch(): void {
    const { hub, configurationReader } = this.#parts;
    const failed = { kind: "log", level: "error", message: "Cannot read the configuration again" } as const;
    this.#watching.push(...configurationReader.watch(() => void this.reload().catch(() => hub.emit(failed))));
  }

  /** Signs an account in. */
  async signIn({ provider, account, work }: SignInOptions): Promise<void> {
    const found = this.#provider(provider);
    await this.#parts.enterprise.signIn(account, found.name, (signal) => work(signal, found));
  }

  /** Signs an account out. */
  async signOut({ provider, account }: Omit<SignInOptions, "work">): Promise<SignOutReport> {
    return await this.#parts.enterprise.signOut(account, this.#provider(provider).name);
  }

  /** Ends everything. */
  close(): Promise<void> {
    return this.#closed ??= this.#close();
  }

  async #close(): Promise<void> {
    const { closing, servers, enterprise, guard } = this.#parts;
    closing.abort();
    for (const watching of this.#watching) watching.close();
    await Promise.allSettled([...this.#threads.values()].map((thread) => thread.close()));
    await Promise.allSettled([servers.close(), enterprise.close()]);
    await Promise.allSettled([this.#parts.settled(), guard.close()]);
  }

  #report(thread?: string): readonly ServerReport[] {
    const { servers, enterprise, enterpriseEvents } = this.#parts;
    const facts = {
      status: (server: string) => enterprise.status(server, thread),
      protocol: (server: string) => enterpriseEvents.protocolOf(server, thread),
    };
    return [
      ...servers.slots.map((slot) => reportSlot(slot, facts)),
      ...servers.disabled.map(reportDisabled),
    ];
  }

  #provider(name: string | undefined): EnterpriseProvider {
    this.#requireOpen();
    return providerNamed(this.#parts.configurationReader.configuration?.enterprise.providers ?? [], name);
  }

  /** Does work that ends with the host, or with `signal`. */
  async #within<Value>(
    signal: AbortSignal | undefined,
    work: (ending: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const { closing } = this.#parts;
    const { controller, stop } = follow(closing.signal, ...(signal === undefined ? [] : [signal]));
    try {
      return await work(controller.signal);
    } catch (error) {
      throw closing.signal.aborted ? hostClosed() : error;
    } finally {
      stop();
    }
  }

  #requireOpen(): void {
    if (this.#parts.closing.signal.aborted) throw hostClosed();
  }
}
