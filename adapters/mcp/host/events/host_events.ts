/**
 * What a host tells the program that embeds it, and how.
 *
 * @module
 */

/** Something that happened. */
export type HostEvent =
  /** A connection to a server is there. `thread`: only for it. */
  | {
    readonly kind: "connected";
    readonly server: string;
    readonly thread: string | null;
    readonly protocol: string;
  }
  /** A connection is gone, or could not be made. */
  | {
    readonly kind: "disconnected";
    readonly server: string;
    readonly thread: string | null;
    readonly reason: { readonly code: string; readonly message: string } | null;
  }
  /** A thread's authorization at a server was kept over another connection, or another load of the configuration. */
  | {
    readonly kind: "refreshed";
    readonly server: string;
    readonly thread: string;
    readonly because: "reconnected" | "configuration";
  }
  /** A configuration was taken. The names of the servers that came, changed, and went. */
  | {
    readonly kind: "configuration-changed";
    readonly added: readonly string[];
    readonly changed: readonly string[];
    readonly removed: readonly string[];
  }
  /** A configuration was not taken: the one before stays, and enterprise servers are not used. */
  | { readonly kind: "configuration-rejected"; readonly code: string; readonly message: string }
  /** A thread lost its authorization at a server. */
  | {
    readonly kind: "authorization-revoked";
    readonly server: string;
    readonly thread: string;
    readonly reason: string;
  }
  /** A server needs somebody to sign in. */
  | {
    readonly kind: "sign-in-needed";
    readonly server: string;
    readonly thread: string;
    readonly message: string;
  }
  /** A server says that its tools have changed. */
  | { readonly kind: "catalog-changed"; readonly server: string; readonly thread: string | null }
  /** Something that concerns nobody's call. Nothing that a server wrote is in it. */
  | { readonly kind: "log"; readonly level: "info" | "warning" | "error"; readonly message: string };

/** Takes events. What it returns or throws is its own affair. */
export type HostListener = (event: HostEvent) => unknown;

/** The events of a host. */
export interface HostEvents {
  /** Calls `listener` for each event from now on. Gives back what ends that. */
  subscribe(listener: HostListener): () => void;
}

/** The events of a host, and who tells them. A listener that throws hinders nobody. */
export class EventHub implements HostEvents {
  readonly #listeners = new Set<{ readonly listener: HostListener }>();

  /** Adds a listener; the same one twice is called twice. */
  subscribe(listener: HostListener): () => void {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Tells everybody. Never throws. */
  emit(event: HostEvent): void {
    let failed = 0;
    for (const { listener } of [...this.#listeners]) {
      try {
        // one that works on asynchronously may fail later, and then nobody is hindered either
        Promise.resolve(listener(event)).catch(() => this.#complain(event, 1));
      } catch {
        failed += 1;
      }
    }
    this.#complain(event, failed);
  }

  /** Says that listeners failed, unless it was that which they were told. */
  #complain(event: HostEvent, failed: number): void {
    if (failed === 0 || event.kind === "log") return;
    const message = `Cannot tell "${event.kind}" to ${failed} listener(s): they threw`;
    this.emit({ kind: "log", level: "error", message });
  }
}
