/**
 * Single flight: whoever wants the same thing while it is being got waits for it, and it is got once. One who gives
 * up leaves the others waiting; when the last one does, the work is told so.
 *
 * What is fetched, and what becomes of it, is decided in `tool_catalog.ts`. Needs no permission.
 *
 * @module
 */

import { HostError } from "../../core/errors.ts";
import { unlessAborted } from "../async/unless_aborted.ts";

/** What is wanted. */
export interface FlightWork<T> {
  /** Gets it. The signal is aborted when nobody waits for it any more. */
  readonly work: (abandoned: AbortSignal) => Promise<T>;
  /** Gives up waiting. */
  readonly signal?: AbortSignal | undefined;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
  over: boolean;
}

/** Work that is under way, by name. */
export class Flights<T> {
  readonly #open = new Map<string, Flight<T>>();

  /**
   * Joins the work of this name, or begins it. Rejects as the work does; work that failed is not remembered.
   *
   * @throws {HostError} `CALL_CANCELLED` when `signal` is aborted first.
   */
  async join(name: string, { work, signal }: FlightWork<T>): Promise<T> {
    if (signal?.aborted) throw abandoned();
    const flight = this.#open.get(name) ?? this.#begin(name, work);
    flight.waiting++;
    try {
      return await unlessAborted(() => flight.result, signal, { error: abandoned });
    } finally {
      flight.waiting--;
      if (flight.waiting === 0 && !flight.over) {
        this.#forget(name, flight);
        flight.controller.abort(abandoned());
      }
    }
  }

  /** Lets the work of this name be: who waits for it still gets it, and who comes now begins anew. */
  detach(name: string): void {
    this.#open.delete(name);
  }

  #begin(name: string, work: FlightWork<T>["work"]): Flight<T> {
    const controller = new AbortController();
    const result = (async () => await work(controller.signal))();
    const flight = { result, controller, waiting: 0, over: false };
    this.#open.set(name, flight);
    const end = (): void => {
      flight.over = true;
      this.#forget(name, flight);
    };
    result.then(end, end); // each one who joined gets the error
    return flight;
  }

  #forget(name: string, flight: Flight<T>): void {
    if (this.#open.get(name) === flight) this.#open.delete(name);
  }
}

function abandoned(): HostError {
  return new HostError("CALL_CANCELLED", "Cannot list the tools: the caller gave up");
}
