/**
 * Lets pieces of work run side by side, as many at a time as there are lanes, and others while nothing else runs.
 *
 * @module
 */

/** Where work waits for its turn. */
export class Lanes {
  readonly #count: number;
  readonly #waiting: (() => void)[] = [];
  readonly #waitingAlone: (() => void)[] = [];
  #running = 0;
  #isAlone = false;

  /** Makes so many lanes, all of them free. */
  constructor(count: number) {
    this.#count = count;
  }

  /** Runs `work` once a lane is free: what came first goes first. */
  run<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#take(this.#waiting, work);
  }

  /** Runs `work` once nothing runs and nothing waits for a lane, and keeps every lane free meanwhile. */
  alone<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#take(this.#waitingAlone, work);
  }

  async #take<Value>(queue: (() => void)[], work: () => Promise<Value>): Promise<Value> {
    await new Promise<void>((resolve) => {
      queue.push(resolve);
      queueMicrotask(() => this.#next()); // whoever asks in the same breath is heard too
    });
    try {
      return await work();
    } finally {
      this.#running--;
      this.#isAlone = false;
      queueMicrotask(() => this.#next());
    }
  }

  #next(): void {
    while (!this.#isAlone && this.#running < this.#count && this.#waiting.length > 0) {
      this.#running++;
      this.#waiting.shift()?.();
    }
    if (this.#running > 0 || this.#waitingAlone.length === 0) return;
    this.#running++;
    this.#isAlone = true;
    this.#waitingAlone.shift()?.();
  }
}

/** As many lanes as this machine has processors; two at least, since tests also wait, and eight at most. */
export function lanesOfMachine(): Lanes {
  return new Lanes(Math.min(Math.max(navigator.hardwareConcurrency, 2), 8));
}
