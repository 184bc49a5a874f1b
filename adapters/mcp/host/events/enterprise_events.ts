/**
 * What enterprise servers tell, as events of the host, and which of them are connected in which thread.
 *
 * @module
 */

import type { EnterpriseServersEvent } from "../enterprise/event.ts";
import type { EventHub } from "./host_events.ts";

/** The newest connection of a thread to a server. */
interface Connected {
  readonly server: string;
  readonly protocol: string;
  readonly number: number;
}

/** Passes events on and remembers connections. */
export class EnterpriseEvents {
  readonly #hub: EventHub;
  readonly #connected = new Map<string, Connected>();

  /** Tells `hub`. */
  constructor(hub: EventHub) {
    this.#hub = hub;
  }

  /**
   * The revision of the protocol of a connection to `server`, in `thread` or, when absent, any; `null`: there is
   * none.
   */
  protocolOf(server: string, thread?: string): string | null {
    if (thread !== undefined) return this.#connected.get(keyOf(thread, server))?.protocol ?? null;
    return [...this.#connected.values()].find((one) => one.server === server)?.protocol ?? null;
  }

  /** Takes an event. */
  take(event: EnterpriseServersEvent): void {
    const { server, thread } = event;
    const key = keyOf(thread, server);
    switch (event.kind) {
      case "connected":
        this.#connected.set(key, { server, protocol: event.protocol, number: event.number });
        return this.#hub.emit({ kind: "connected", server, thread, protocol: event.protocol });
      case "disconnected":
        // an old connection may end after the new one has begun
        if (this.#connected.get(key)?.number === event.number) this.#connected.delete(key);
        return this.#hub.emit({ kind: "disconnected", server, thread, reason: null });
      case "refreshed":
        this.#connected.set(key, { server, protocol: event.protocol, number: event.number });
        return this.#hub.emit({ kind: "refreshed", server, thread, because: event.because });
      case "authorization-revoked":
        return this.#hub.emit({ kind: "authorization-revoked", server, thread, reason: event.reason });
      case "sign-in-needed":
        return this.#hub.emit({ kind: "sign-in-needed", server, thread, message: event.message });
      case "catalog-changed":
        return this.#hub.emit({ kind: "catalog-changed", server, thread });
    }
  }
}

function keyOf(thread: string, server: string): string {
  return JSON.stringify([thread, server]);
}
