/**
 * Lets pieces of work run side by side, as many at a time as there are lanes; beside the lanes what mostly waits; and
 * others while nothing else runs.
 *
 * @module
 */

/** Pieces of work that mostly wait run so many at a time: together they take less than half a processor. */
const ASIDE = 2;

/** Work of one kind: how much of it runs, and what waits for its turn. */
class Queue {
  readonly waiting: (() => void)[] = [];
  readonly #most: number;
  running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isIdle(): boolean {
    return this.running === 0 && this.waiting.length === 0;
  }

  /** Starts as much as may run. */
  fill(): void {
    while (this.running < this.#most && this.waiting.length > 0) {
      this.running++;
      this.waiting.shift()?.();
    }
  }
}

/** Where work waits for its turn. */
export class Lanes {
  readonly #lanes: Queue;
  readonly #aside: Queue = new Queue(ASIDE);
  readonly #alone: Queue = new Queue(1);

  /** Makes so many lanes, all of them free. */
  constructor(count: number) {
    this.#lanes = new Queue(count);
  }

  /** Runs `work` once a lane is free: what came first goes first. */
  run<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#take(this.#lanes, work);
  }

  /** Runs `work`, which mostly waits, beside the lanes. */
  aside<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#take(this.#aside, work);
  }

  /** Runs `work` once nothing runs and nothing else waits, and lets nothing begin meanwhile. */
  alone<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#take(this.#alone, work);
  }

  async #take<Value>(queue: Queue, work: () => Promise<Value>): Promise<Value> {
    await new Promise<void>((resolve) => {
      queue.waiting.push(resolve);
      queueMicrotask(() => this.#next()); // whoever asks in the same breath is heard too
    });
    try {
      return await work();
    } finally {
      queue.running--;
      queueMicrotask(() => this.#next());
    }
  }

  #next(): void {
    if (this.#alone.running > 0) return;
    this.#lanes.fill();
    this.#aside.fill();
    if (this.#lanes.isIdle && this.#aside.isIdle) this.#alone.fill();
  }
}

/**
 * One lane more than this machine has processors, since tests also wait: a lane takes about half a processor. Three at
 * least, and eight at most.
 */
export function lanesOfMachine(): Lanes {
  return new Lanes(Math.min(Math.max(navigator.hardwareConcurrency + 1, 3), 8));
}
