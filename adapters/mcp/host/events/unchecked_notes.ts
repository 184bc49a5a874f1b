/**
 * Says, once for each tool, that what it answers is delivered unchecked.
 *
 * When a check is given up is decided in `output/check_budget.ts`.
 *
 * @module
 */

import { quote } from "../../../../core/errors.ts";
import type { EventHub } from "./host_events.ts";

/** Tools that are remembered; beyond that one may be told of again. */
const MAX_REMEMBERED = 10_000;

/** Tells of unchecked answers. */
export class UncheckedNotes {
  readonly #hub: Pick<EventHub, "emit">;
  readonly #told = new Set<string>();

  /** Nobody is told yet. */
  constructor(hub: Pick<EventHub, "emit">) {
    this.#hub = hub;
  }

  /** An answer of `tool` at `server` was not checked, or not in all. */
  unchecked(server: string, tool: string): void {
    const key = JSON.stringify([server, tool]);
    if (this.#told.has(key)) return;
    if (this.#told.size >= MAX_REMEMBERED) this.#told.clear();
    this.#told.add(key);
    const state = "to check them whole takes too long, or its schema says what this host does not check";
    const message = `Answers of ${quote(tool)} at ${quote(server)} are delivered unchecked: ${state}`;
    this.#hub.emit({ kind: "log", level: "warning", message });
  }
}
