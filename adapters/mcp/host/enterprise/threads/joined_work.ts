/**
 * Work that several wait for and one does: whoever gives up leaves it to the others, and when nobody waits any more it
 * is ended.
 *
 * @module
 */

import { HostError, quote } from "../../../../../core/errors.ts";
import { follow } from "../../../../async/follow.ts";
import { SERVER_LATE } from "../errors.ts";
import type { ConnectOptions } from "../options.ts";

/** Work on one result at a time. */
export class JoinedWork<Result> {
  readonly #work: (signal: AbortSignal, waitsFor: (late: string) => void) => Promise<Result>;
  readonly #server: string;
  #flight: Flight<Result> | null = null;

  /**
   * `work` is begun when somebody waits for it; it may say, as it goes, what whoever gives up then is told. `server` is
   * who it is about.
   */
  constructor(
    work: (signal: AbortSignal, waitsFor: (late: string) => void) => Promise<Result>,
    server: string,
  ) {
    this.#work = work;
    this.#server = server;
  }

  /**
   * Waits for the work that is under way, or begins it. Rejects as the work does.
   *
   * @throws {HostError} `CALL_CANCELLED` when `signal` is aborted.
   * @throws {HostError} `SERVER_TIMEOUT` when `timeoutMs` is over.
   */
  async join({ signal, timeoutMs }: ConnectOptions): Promise<Result> {
    this.check({ signal });
    const flight = this.#flight ??= this.#begin();
    flight.waiting += 1;
    const limit = follow(...(signal === undefined ? [] : [signal]));
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => {
      limit.controller.abort(this.#error("SERVER_TIMEOUT", flight.late));
    }, timeoutMs);
    try {
      return await new Promise<Result>((resolve, reject) => {
        const giveUp = (): void => {
          const { reason } = limit.controller.signal;
          reject(
            reason instanceof HostError && reason.code === "SERVER_TIMEOUT" ? reason : this.#cancelled(),
          );
        };
        limit.controller.signal.addEventListener("abort", giveUp);
        flight.result.then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
      limit.stop();
      flight.waiting -= 1;
      if (flight.waiting === 0 && this.#flight === flight) this.abort(this.#cancelled());
    }
  }

  /** Whether somebody waits for it. */
  get busy(): boolean {
    return this.#flight !== null;
  }

  /**
   * Nothing is begun for a caller that has given up.
   *
   * @throws {HostError} `CALL_CANCELLED` when `signal` is aborted.
   */
  check({ signal }: ConnectOptions): void {
    if (signal?.aborted) throw this.#cancelled();
  }

  /** Ends the work that is under way: whoever waits for it gets `error`. */
  abort(error: Error): void {
    const flight = this.#flight;
    this.#flight = null;
    flight?.controller.abort(error);
  }

  #begin(): Flight<Result> {
    const controller = new AbortController();
    const ended = new Promise<never>((_resolve, reject) => {
      controller.signal.addEventListener("abort", () => reject(controller.signal.reason));
    });
    const told = { late: SERVER_LATE };
    const work = this.#work(controller.signal, (late) => void (told.late = late));
    const flight: Flight<Result> = Object.assign(told, {
      controller,
      result: Promise.race([work, ended]),
      waiting: 0,
    });
    const over = (): void => {
      if (this.#flight === flight) this.#flight = null;
    };
    flight.result.then(over, over); // each one who joined gets the error
    return flight;
  }

  #cancelled(): HostError {
    return this.#error("CALL_CANCELLED", "the caller gave up");
  }

  #error(code: "CALL_CANCELLED" | "SERVER_TIMEOUT", state: string): HostError {
    const server = this.#server;
    return new HostError(code, `Cannot connect to the server ${quote(server)}: ${state}`, { server });
  }
}

interface Flight<Result> {
  readonly controller: AbortController;
  readonly result: Promise<Result>;
  /** What whoever gives up now is told. */
  readonly late: string;
  waiting: number;
}
