/**
 * A connection to one ordinary server over all its lives: made when somebody needs it, by one attempt for all who do,
 * left alone for a while after a failure (`backoff.ts`), and made again when it is gone.
 *
 * How one attempt goes is decided in `attempt.ts`.
 *
 * @module
 */

import type { HttpEntry, StdioEntry } from "../../../../core/configuration/entry.ts";
import { HostError, quote } from "../../../../core/errors.ts";
import { acceptsSandboxState } from "../../../../core/sandbox/capability.ts";
import { follow } from "../../../async/follow.ts";
import { unlessAborted } from "../../../async/unless_aborted.ts";
import { attempt, type Connected } from "./attempt.ts";
import { HEALTHY_SECONDS, LONGEST_PAUSE, pauseAfter } from "./backoff.ts";
import type { EraMemory } from "./era_plan.ts";
import { type Failed, failed, isPermanent } from "./failure.ts";
import { Listeners } from "./listeners.ts";
import { OpenedConnection } from "./open_connection.ts";
import type {
  ConnectionFailure,
  ConnectionState,
  OpenConnection,
  ServerConnection,
  ServerConnectionOptions,
} from "./server_connection.ts";
import { DiagnosticsLog } from "./stdio/diagnostics_log.ts";

/** Creates the connection to a server. Nothing is started before somebody needs it. */
export function createServerConnection(
  entry: StdioEntry | HttpEntry,
  options: ServerConnectionOptions,
): ServerConnection {
  return new Connection(entry, options);
}

class Connection implements ServerConnection {
  readonly entry: StdioEntry | HttpEntry;
  readonly #options: ServerConnectionOptions;
  readonly #log = new DiagnosticsLog();
  readonly #closing = new AbortController();
  readonly #endings = new Set<Promise<void>>();
  readonly #stateListeners: Listeners<ConnectionState>;
  readonly #toolListeners: Listeners<void>;
  #state: ConnectionState = { kind: "idle" };
  #life: OpenedConnection | undefined;
  #flight: Promise<OpenedConnection | Failed> | undefined;
  #memory: EraMemory = null;
  #failures = 0;
  #number = 0;
  #closed: Promise<void> | undefined;

  constructor(entry: StdioEntry | HttpEntry, options: ServerConnectionOptions) {
    this.entry = entry;
    this.#options = options;
    const note = (): void => options.onNote?.(`A listener of the server ${quote(entry.name)} failed.`);
    this.#stateListeners = new Listeners(note);
    this.#toolListeners = new Listeners(note);
  }

  state(): ConnectionState {
    const state = this.#state;
    return state.kind === "waiting" && state.until <= this.#options.clock.now()
      ? { kind: "failed", reason: state.reason }
      : state;
  }

  stderrTail(): string {
    return this.#log.text();
  }

  onChange(listener: (state: ConnectionState) => void): () => void {
    return this.#stateListeners.add(listener);
  }

  onCatalogChanged(listener: () => void): () => void {
    return this.#toolListeners.add(listener);
  }

  async open(signal?: AbortSignal): Promise<OpenConnection> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#closing.signal.aborted) throw this.#closedFailure().error;
      if (this.#life !== undefined) return this.#life.open;
      if (this.#flight === undefined && await this.#waitForTurn(signal)) continue;
      // a listener that is told of the attempt may ask for the connection itself
      const flight = this.#flight ??= Promise.resolve().then(() => this.#connect())
        .finally(() => this.#flight = undefined);
      const outcome = await unlessAborted(() => flight, signal);
      if ("error" in outcome) throw outcome.error;
      // one that is gone again already is its caller's to find out
      return outcome.open;
    }
  }

  close(): Promise<void> {
    return this.#closed ??= this.#close();
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    this.#change({ kind: "closed" });
    await this.#flight;
    this.#life?.end(this.#closedFailure().error);
    while (this.#endings.size > 0) await Promise.all(this.#endings);
    this.#stateListeners.clear();
    this.#toolListeners.clear();
  }

  /** Waits when it is not yet time for an attempt, and tells whether it did. */
  async #waitForTurn(signal: AbortSignal | undefined): Promise<boolean> {
    const state = this.#state;
    if (state.kind !== "waiting") return false;
    const { clock } = this.#options;
    // a clock that was set back does not make it longer
    const seconds = Math.min(state.until - clock.now(), LONGEST_PAUSE);
    if (seconds <= 0) return false;
    if (seconds * 1000 > this.entry.startupTimeoutMs) throw errorOf(this.entry.name, state.reason);
    const { signal: closing } = this.#closing;
    const { controller, stop } = signal === undefined ? follow(closing) : follow(closing, signal);
    const over = await clock.sleep(seconds, controller.signal);
    stop();
    if (over && this.#state === state) this.#state = { kind: "failed", reason: state.reason };
    return true;
  }

  async #connect(): Promise<OpenedConnection | Failed> {
    const { clock } = this.#options;
    this.#change({ kind: "connecting", since: clock.now() });
    const { outcome, memory } = await attempt(this.entry, {
      ...this.#options,
      log: this.#log,
      memory: this.#memory,
      // what is left of an earlier life may hold what the next one needs
      after: Promise.all(this.#endings),
      signal: this.#closing.signal,
      onToolsChanged: () => this.#toolListeners.tell(),
      onEnding: (ending) => this.#keep(ending),
    });
    this.#memory = memory;
    if ("error" in outcome) {
      this.#fail(outcome.failure);
      return outcome;
    }
    return this.#begin(outcome);
  }

  #begin(connected: Connected): OpenedConnection {
    const { clock, random = Math.random, onNote } = this.#options;
    const since = clock.now();
    const life = new OpenedConnection(connected, {
      number: ++this.#number,
      server: this.entry.name,
      clock,
      random,
      onNote,
      onToolsMissed: () => this.#toolListeners.tell(),
      onEnding: (ending) => this.#keep(ending),
      onLost: (failure) => {
        this.#life = undefined;
        if (clock.now() - since >= HEALTHY_SECONDS) this.#failures = 0;
        this.#fail(failure);
      },
    });
    if (life.open.closed.aborted) return life;
    this.#life = life;
    const { protocol, era, capabilities } = life.open;
    const acceptsSandbox = acceptsSandboxState(capabilities);
    this.#change({ kind: "ready", since, protocol, era, acceptsSandbox });
    return life;
  }

  #fail(reason: ConnectionFailure): void {
    const { clock, random = Math.random } = this.#options;
    if (isPermanent(reason)) return this.#change({ kind: "failed", reason });
    this.#failures += 1;
    this.#change({ kind: "waiting", until: clock.now() + pauseAfter(this.#failures, random()), reason });
  }

  #change(state: ConnectionState): void {
    if (this.#state.kind === "closed") return;
    this.#state = state;
    this.#stateListeners.tell(state);
  }

  #keep(ending: Promise<void>): void {
    const kept = ending.catch(() => undefined).finally(() => this.#endings.delete(kept));
    this.#endings.add(kept);
  }

  #closedFailure(): Failed {
    return failed(this.entry.name, { reason: "ended", state: "the connection was closed" });
  }
}

/** The error of an earlier failure, for somebody who did not see it. */
function errorOf(server: string, { code, message }: ConnectionFailure): HostError {
  return new HostError(code, `${message}. It is tried again in a moment`, { server });
}
