/**
 * Single flight: whoever wants the same thing while it is being got waits for it, and one request is made. A caller
 * that gives up leaves the others waiting.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { unlessAborted } from "../../async/unless_aborted.ts";

/** Work that is under way, by name. */
export class Flights {
  readonly #open = new Map<string, Promise<void>>();

  /** Joins the work of this name, or begins it. Rejects as the work does. */
  async join(
    name: string,
    { work, signal }: { readonly work: () => Promise<void>; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const flight = this.#open.get(name) ?? this.#begin(name, work);
    await unlessAborted(() => flight, signal, { error: abandoned });
  }

  /** Whether work of this name is under way. */
  has(name: string): boolean {
    return this.#open.has(name);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open.values());
  }

  #begin(name: string, work: () => Promise<void>): Promise<void> {
    const flight = work().finally(() => this.#open.delete(name));
    flight.catch(() => undefined); // each one who joined gets the error
    this.#open.set(name, flight);
    return flight;
  }
}

function abandoned(): EnterpriseError {
  return new EnterpriseError(
    "TEMPORARILY_UNAVAILABLE",
    "Cannot wait for the access token: the caller gave up",
    {
      reason: "aborted",
    },
  );
}
