/**
 * Those who want to be told of something.
 *
 * @module
 */

/** A set of listeners, told in the order in which they were added. */
export class Listeners<Told> {
  readonly #listeners = new Set<{ readonly call: (told: Told) => void }>();
  readonly #onThrow: () => void;

  /** Creates an empty set; `onThrow` is told of a listener that threw: its error is its own business. */
  constructor(onThrow: () => void) {
    this.#onThrow = onThrow;
  }

  /** Adds a listener and gives back what takes it out again. The same function may be added twice. */
  add(listener: (told: Told) => void): () => void {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Tells everybody who listens now. One that throws keeps nobody else from being told. */
  tell(told: Told): void {
    for (const { call } of [...this.#listeners]) {
      try {
        call(told);
      } catch {
        this.#onThrow();
      }
    }
  }

  /** Takes everybody out. */
  clear(): void {
    this.#listeners.clear();
  }
}
