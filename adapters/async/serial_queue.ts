/**
 * One after the other: work that must not overlap, in the order it came. The same in one process only; across
 * processes it is the lock of the keyring's store.
 *
 * @module
 */

/** A queue of one. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs `work` when all that came before has ended, however it ended. Settles as `work` does. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.then(() => undefined, () => undefined);
    return result;
  }

  /** Resolves when nothing is left to do, what came meanwhile included. */
  async idle(): Promise<void> {
    let last: Promise<void>;
    do {
      last = this.#last;
      await last;
    } while (last !== this.#last);
  }
}
